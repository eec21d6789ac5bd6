import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'
import { HOUR_MS } from '../../src/platform/core/clock.ts'
import type { Caller } from '../../src/platform/routes/caller.ts'
import { newId } from '../../src/platform/core/ids.ts'
import type { Role, Principal } from '../../src/platform/routes/principal.ts'
import type { LinkClicks } from '../../src/links/list/period-clicks.ts'
import type { SaveIdempotentResponse } from '../../src/platform/resources/idempotent-responses.ts'
import type { Sql, Tx } from '../../src/platform/storage/postgres/postgres.ts'
import { setHashCost } from '../../src/platform/work/password-hashing.ts'

/** For rules that list no links by their clicks. */
export const unusedLinkClicks: LinkClicks = {
  ofLinks: refuse,
  mostClicked: refuse,
  earnedBy: refuse,
}

function refuse(): never {
  throw new Error('this test lists no links by their clicks')
}

type NewUser = {
  id?: string
  name?: string
  email?: string
  passwordHash?: string | null
  nowMs?: number
}
export type User = { id: string; name: string; email: string }

/** Inserts a user whose address is verified. */
export async function addUser(sql: Sql | Tx, given: NewUser = {}): Promise<User> {
  const { nowMs = Date.now(), name = 'Owner', passwordHash = null } = given
  const id = given.id ?? newId('usr', nowMs)
  const email = given.email ?? `${id.toLowerCase()}@example.com`
  const now = new Date(nowMs)
  const times = { emailVerifiedAt: now, createdAt: now, updatedAt: now }
  const row = { id, name, email, emailKey: email.toLowerCase(), passwordHash, ...times }
  await sql`insert into users ${sql(row)}`
  return { id, name, email }
}

type NewWorkspace = { id?: string; name?: string; plan?: string; nowMs?: number }

/** Inserts a workspace, unless it exists, and returns its id. */
export async function addWorkspace(sql: Sql | Tx, given: NewWorkspace = {}): Promise<string> {
  const { nowMs = Date.now(), name = 'Workspace', plan } = given
  const id = given.id ?? newId('wsp', nowMs)
  const now = new Date(nowMs)
  const row = { id, name, ...(plan !== undefined && { plan }), createdAt: now, updatedAt: now }
  await sql`insert into workspaces ${sql(row)} on conflict (id) do nothing`
  return id
}

type NewMembership = { workspaceId: string; userId: string; role?: Role; nowMs?: number }

export async function addMembership(sql: Sql | Tx, given: NewMembership): Promise<void> {
  const { workspaceId, userId, role = 'owner', nowMs = Date.now() } = given
  await sql`insert into members values (${workspaceId}, ${userId}, ${role}, ${new Date(nowMs)})`
}

type NewLink = {
  workspaceId: string
  id?: string
  name?: string
  slug?: string
  destinationUrl?: string
  domainId?: string
  nowMs?: number
}

/** Inserts a link into a workspace, which exists, and returns its id. */
export async function addLink(sql: Sql | Tx, given: NewLink): Promise<string> {
  const { workspaceId, domainId = null, nowMs = Date.now(), name = 'A link' } = given
  const { destinationUrl = 'https://example.com/' } = given
  const id = given.id ?? newId('lnk', nowMs)
  const slug = given.slug ?? id
  const now = new Date(nowMs)
  const row = { id, workspaceId, name, slug, slugKey: slug.toLowerCase(), destinationUrl, domainId }
  const rest = { createdBy: 'usr_1', createdAt: now, updatedAt: now }
  await sql`insert into links ${sql({ ...row, ...rest })}`
  await addAddress(sql, id)
  return id
}

/** Inserts the address of a link, which exists. */
export async function addAddress(sql: Sql | Tx, linkId: string): Promise<void> {
  await sql`
    insert into link_addresses (domain_id, slug_key, workspace_id, link_id, slug)
    select coalesce(domain_id, ''), slug_key, workspace_id, id, slug from links where id = ${linkId}`
}

type NewDomain = {
  workspaceId: string
  hostname: string
  token?: string
  status?: 'pending' | 'verified' | 'failed' | 'misconfigured'
  isDefault?: boolean
  caseSensitive?: boolean
  rootRedirectUrl?: string
  notFoundUrl?: string
  expiredUrl?: string
  appleAppSiteAssociation?: object
  assetLinks?: object
  misconfiguredSince?: Date
}

/** Inserts a domain of a workspace, which exists, and returns its id; no edge is told. */
export async function addDomain(sql: Sql | Tx, given: NewDomain): Promise<string> {
  const id = newId('dom', Date.now())
  const now = new Date()
  const nextCheckAt = new Date(now.getTime() + HOUR_MS)
  const times = { nextCheckAt, createdAt: now, updatedAt: now }
  const row = { status: 'verified', token: randomBytes(16).toString('hex'), ...given, ...times, id }
  await sql`insert into domains ${sql(row as never)}`
  return id
}

/** The identity of a signed-in user who acts in a workspace, as an owner unless told otherwise. */
export function toPrincipal(
  userId: string,
  workspaceId: string,
  rest: Partial<Principal> = {},
): Principal {
  return {
    userId,
    workspaceId,
    role: 'owner',
    actor: { type: 'user', id: userId },
    scopes: null,
    requestId: 'req_test',
    ip: '192.0.2.1',
    userAgent: 'test',
    ...rest,
  }
}

/** The sender of a request, without a session unless told otherwise. */
export function toCaller(rest: Partial<Caller> = {}): Caller {
  return {
    requestId: 'req_test',
    ip: '192.0.2.1',
    userAgent: 'test',
    origin: 'http://localhost:3000',
    wantsHtml: false,
    cookies: {},
    session: null,
    principal: null,
    ...rest,
  }
}

const folders: string[] = []

// Not after each test: hooks run in the order of their registration, so programs and engines that
// a test opens in a folder would still write to it.
after(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** A new empty folder, removed after the last test of the file. */
export function freshFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sp-test-'))
  folders.push(folder)
  return folder
}

/** For rules whose requests have no `Idempotency-Key`. */
export const saveNoResponse: SaveIdempotentResponse = async (_tx, _principal, answer) => answer

/** Until the test ends, a password takes microseconds instead of tens of milliseconds. */
export function hashCheaply(t: TestContext): void {
  setHashCost({ memory: 8, passes: 1, parallelism: 1 })
  t.after(() => setHashCost())
}
