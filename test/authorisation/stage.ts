import { randomBytes } from 'node:crypto'
import { newId } from '../../src/base/ids.ts'
import { ROLES, type Role } from '../../src/base/who.ts'
import { must } from '../support/calls.ts'
import type { Session, World } from '../support/world.ts'
import { addMembership, addUser } from '../support/fixtures.ts'

/** Somebody with a session, and perhaps a key and a workspace. */
export type Actor = { userId: string; email: string; session: Session }
export type Player = Actor & { role: Role; apiKey: string }

/** A workspace with one person of each role. */
export type Stage = {
  world: World
  workspaceId: string
  cast: Record<Role, Player>
  /** A key of the owner's, narrowed to these. */
  keyWith(...scopes: string[]): Promise<string>
}

/** Loopback, where nothing listens, and which the guard of this world allows. */
const HOOK = 'https://127.0.0.1:8443/hook'

export async function openStage(world: World): Promise<Stage> {
  const owner = await playerOf(world, 'owner')
  const { workspaceId } = owner.session
  const others = ROLES.filter((role) => role !== 'owner')
  const rest = await Promise.all(others.map((role) => playerOf(world, role, workspaceId!)))
  const players = [...rest, owner].map((player) => [player.role, player] as const)
  const keys = new Map<string, string>()
  return {
    world,
    workspaceId: workspaceId!,
    cast: Object.fromEntries(players) as Record<Role, Player>,
    async keyWith(...scopes) {
      const name = scopes.join(' ').slice(0, 50)
      if (!keys.has(name)) {
        const made = await must(201, owner.session.post('/api-keys', { name, scopes }))
        keys.set(name, made.body.data.key)
      }
      return keys.get(name)!
    },
  }
}

async function playerOf(world: World, role: Role, workspaceId?: string): Promise<Player> {
  const { apiKey, ...made } = await world.member({ role, ...(workspaceId && { workspaceId }) })
  const session = await world.session(made)
  const [row] = await world.sql<{ email: string }[]>`
    select email from users where id = ${made.userId}`
  return { userId: made.userId, email: row!.email, role, apiKey, session }
}

/** Somebody new with a verified address, no password, and no workspace. */
export async function addPerson(world: World, passwordHash: string | null = null): Promise<Actor> {
  const { id: userId, email } = await addUser(world.sql, { passwordHash, nowMs: world.clock.now })
  return { userId, email, session: await world.session({ userId, workspaceId: null }) }
}

export async function addMember({ world, workspaceId }: Stage, userId: string, role: Role) {
  await addMembership(world.sql, { workspaceId, userId, role, nowMs: world.clock.now })
}

/** What the owner makes, by a session: its id. */
async function make({ cast }: Stage, path: string, body: unknown): Promise<string> {
  return (await must(201, cast.owner.session.post(path, body))).body.data.id
}

export const NEW_LINK = { name: 'Docs', destinationUrl: 'https://example.com/docs' }
export const NEW_ENDPOINT = { url: HOOK, events: ['link.created'] }

export const addLink = (stage: Stage) => make(stage, '/links', NEW_LINK)
/** Paused, so that nothing of the rest of the matrix is queued for it. */
export const addEndpoint = (stage: Stage, status = 'paused') =>
  make(stage, '/webhooks/endpoints', { ...NEW_ENDPOINT, events: ['domain.verified'], status })
export const addInvitation = (stage: Stage, email = freshEmail()) =>
  make(stage, '/invitations', { email, role: 'viewer' })

export function freshEmail(): string {
  return `fresh-${randomBytes(8).toString('hex')}@example.com`
}

/** A delivery that was given up, of an endpoint of its own. */
export async function addDeadLetter(stage: Stage): Promise<string> {
  const { world, workspaceId } = stage
  const { sql, clock } = world
  const endpointId = await addEndpoint(stage)
  const at = new Date(clock.now)
  const common = { workspaceId, endpointId }
  const event = { id: newId('evt', clock.now), createdAt: at, workspaceId, type: 'link.created' }
  const id = newId('del', clock.now)
  await sql`insert into events ${sql({ ...event, data: '{}' })}`
  await sql`insert into webhook_log ${sql({
    ...common,
    id,
    finishedAt: at,
    eventId: event.id,
    eventAt: at,
    eventType: event.type,
    status: 4,
    attempts: 5,
    createdAt: at,
  })}`
  await sql`insert into webhook_tallies ${sql({ ...common, status: 4, day: at, n: 1 })}`
  return id
}

/** A key of the caller's where they may make one, else of the owner's. */
export async function addKey({ cast }: Stage, caller: Actor): Promise<string> {
  const mayMake = [cast.admin, cast.owner].find(({ userId }) => userId === caller.userId)
  const { session } = mayMake ?? cast.owner
  return (await must(201, session.post('/api-keys', { name: 'Fresh' }))).body.data.id
}
