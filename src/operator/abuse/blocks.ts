import { parse } from 'tldts'
import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import {
  inTransaction,
  type Fragment,
  type SystemSql,
  type Tx,
} from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import {
  announceLinksOf,
  findShortLink,
  toShortUrl,
  type ToDomain,
} from '../../links/link/addresses.ts'
import type { LinkBlocking } from '../../links/write/blocking.ts'
import { checkReason, isSuspended, resume, suspend } from '../workspaces/workspaces.ts'
import { announcePages } from './passes.ts'
import { BLOCK_KINDS, type Block, type ListBlocks } from './schema.ts'

type Kind = (typeof BLOCK_KINDS)[number]

type Deps = Pick<Dependencies, 'systemSql' | 'clock' | 'audit' | 'recordSecurity'> & {
  toDomain: ToDomain
  linkBlocking: LinkBlocking
}

type Input = { kind: string; value: string; reason?: string | undefined }
type Wanted = Pick<Block, 'id' | 'kind' | 'value' | 'reason'> & { wasSuspended: boolean }

/** Matches text that has more than a host: a port, or another part of a URL. An IPv6 address is in brackets. */
const NO_HOST = /[\s/?#@\\]|^[^[].*:|\]:/
const MAX_LISTED = 1_000
/** An id, or the end of an address of an image. */
const IMAGE = /(?:^|\/)(med_[0-9A-HJKMNP-TV-Z]{26})(?:\/content)?(?:[?#].*)?$/
const SHA256 = /^[0-9a-f]{64}$/i
/** The first pass blocks existing links, the second one those that were being created and missed the block. */
const PASSES = 2

export type Blocks = ReturnType<typeof createBlocks>

export const createBlocks = (deps: Deps) => bindDeps(deps, { block, unblock, list, unblockById })

/** Links of a host follow in passes. */
async function block(deps: Deps, input: Input, requestId?: string): Promise<Block> {
  const kind = checkKind(input.kind)
  const reason = checkReason(input.reason)
  const value = await toValue(deps, kind, input.value)
  const wasSuspended = kind === 'workspace' && (await isSuspended(deps, value))
  if (kind === 'workspace' && !wasSuspended)
    await suspend(deps, { workspace: value, reason: input.reason }, requestId)
  const id = newId('blo', deps.clock())
  await inTransaction(deps.systemSql, async (tx) => {
    await insert(deps, tx, { id, kind, value, reason, wasSuspended })
    if (kind === 'link' && isPage(value)) await requirePage(tx, value)
    else if (kind === 'link') await blockLink(deps, tx, value, { blockId: id, reason })
    await announceCovered(tx, kind, value)
  })
  const [made] = await select(deps.systemSql, deps.systemSql`b.id = ${id}`, FIRST)
  return made!
}

function isPage(id: string): boolean {
  return id.startsWith('bio_')
}

async function requirePage(tx: Tx, id: string): Promise<void> {
  const pages = await tx`select from bio_pages where id = ${id}`
  if (pages.length === 0) throw invalid('value', `The page ${id} does not exist.`)
}

/** Announces the pages that a block covers, or covered. Those that lead to a host follow in its passes. */
async function announceCovered(tx: Tx, kind: Kind, value: string): Promise<void> {
  if (kind === 'workspace') return announceLinksOf(tx, value)
  if (kind === 'link' && isPage(value)) return announcePages(tx, [value])
  if (kind === 'image') return announcePages(tx, await listPagesWith(tx, value))
}

async function listPagesWith(tx: Tx, sha256: string): Promise<string[]> {
  const rows = await tx<{ pageId: string }[]>`
    select distinct u.used_by as page_id from media m join media_uses u on u.media_id = m.id
    where m.sha256 = decode(${sha256}, 'hex') and u.type = 'bio_page'`
  return rows.map(({ pageId }) => pageId)
}

async function blockLink(
  { linkBlocking }: Deps,
  tx: Tx,
  linkId: string,
  cause: { blockId: string; reason: string | null },
): Promise<void> {
  const workspaceId = await linkBlocking.findOwner(tx, linkId)
  if (workspaceId === null)
    throw invalid('value', `The link ${JSON.stringify(linkId)} does not exist.`)
  await linkBlocking.blockLinks(tx, workspaceId, new Map([[linkId, cause]]))
  const [held] = await tx`
    select from link_blocks where link_id = ${linkId} and workspace_id = ${workspaceId}`
  // It was deleted or restored between the statements.
  if (!held) throw new ApiError('CONFLICT', `${linkId} is being changed. Try again.`)
}

async function insert({ clock }: Deps, tx: Tx, wanted: Wanted): Promise<void> {
  const now = new Date(clock())
  const passesLeft = wanted.kind === 'host' ? PASSES : 0
  const row = { ...wanted, createdBy: 'operator', createdAt: now, passAt: now, passesLeft }
  const [inserted] =
    await tx`insert into blocks ${tx(row)} on conflict (kind, value) do nothing returning id`
  if (inserted) return
  const [present] = await tx<{ liftedAt: Date | null }[]>`
    select lifted_at from blocks where kind = ${wanted.kind} and value = ${wanted.value}`
  throw new ApiError(
    'CONFLICT',
    present?.liftedAt
      ? `The block of ${wanted.value} is still being lifted. Try again in a minute.`
      : `${wanted.value} is already blocked.`,
  )
}

/** Links of a host follow in passes; a link that another block covers stays blocked. */
async function unblock(deps: Deps, input: Input, requestId?: string) {
  const kind = checkKind(input.kind)
  const value = await toValue(deps, kind, input.value)
  const { wasSuspended } = await inTransaction(deps.systemSql, async (tx) => {
    const [lifted] = await tx<{ id: string; wasSuspended: boolean }[]>`
      update blocks set lifted_at = ${new Date(deps.clock())}, passes_left = 0, pass_at = ${new Date(deps.clock())}, pass_after = ''
      where kind = ${kind} and value = ${value} and lifted_at is null
      returning id, was_suspended`
    if (!lifted) throw new ApiError('CONFLICT', `${value} is not blocked.`)
    if (kind === 'host') return lifted
    const held = await tx<{ linkId: string; workspaceId: string }[]>`
      select link_id, workspace_id from link_blocks where block_id = ${lifted.id}`
    for (const { linkId, workspaceId } of held)
      await deps.linkBlocking.restoreLinks(tx, workspaceId, [linkId])
    await tx`delete from blocks where id = ${lifted.id}`
    await announceCovered(tx, kind, value)
    return lifted
  })
  if (kind === 'workspace' && !wasSuspended && (await isSuspended(deps, value)))
    await resume(deps, { workspace: value }, requestId)
  return { kind, value }
}

async function unblockById(deps: Deps, id: string, requestId: string): Promise<void> {
  const [row] = await deps.systemSql<Pick<Block, 'kind' | 'value'>[]>`
    select kind, value from blocks where id = ${id}`
  if (!row) throw new ApiError('NOT_FOUND', 'This block does not exist.')
  await unblock(deps, row, requestId)
}

async function list({ systemSql }: Deps, query: Partial<ListBlocks>) {
  const { kind, search = '', limit = MAX_LISTED, offset = 0 } = query
  const isMatch = systemSql`
    ${kind === undefined ? systemSql`true` : systemSql`b.kind = ${kind}`}
    and (${search}::text = '' or position(lower(${search}::text) in lower(b.value)) > 0)`
  const blocks = await select(systemSql, isMatch, { limit, offset })
  const [counted] = await systemSql<[{ total: number }]>`
    select count(*) as total from blocks b where ${isMatch}`
  return { blocks, total: counted.total }
}

type Row = Omit<Block, 'state' | 'createdAt'> & {
  createdAt: Date
  liftedAt: Date | null
  passesLeft: number
}

const FIRST = { limit: 1, offset: 0 }

async function select(sql: SystemSql, isMatch: Fragment, { limit, offset }: typeof FIRST) {
  const rows = await sql<Row[]>`
    select b.id, b.kind, b.value, b.reason, b.created_at, b.lifted_at, b.passes_left,
      (select count(*) from link_blocks l where l.block_id = b.id) as links
    from blocks b where ${isMatch}
    order by b.created_at desc, b.id desc limit ${limit} offset ${offset}`
  return rows.map(({ createdAt, liftedAt, passesLeft, ...row }): Block => ({
    ...row,
    state: toState(liftedAt, passesLeft),
    createdAt: createdAt.toISOString(),
  }))
}

function toState(liftedAt: Date | null, passesLeft: number) {
  if (liftedAt !== null) return 'being lifted'
  return passesLeft === PASSES ? 'in progress' : 'complete'
}

async function toValue(deps: Deps, kind: Kind, value: string): Promise<string> {
  if (kind === 'host') return checkHost(value)
  if (kind === 'image') return findImage(deps, value)
  if (kind === 'link' && !/^(?:lnk|bio)_/.test(value)) return findLink(deps, value)
  return value
}

/** A host as the URL parser spells it. A public suffix is refused, since it would block a whole registry. */
function checkHost(text: string): string {
  const trimmed = text.trim()
  const url = NO_HOST.test(trimmed) ? null : URL.parse(`http://${trimmed}/`)
  if (url === null)
    throw invalid(
      'value',
      `${JSON.stringify(text)} is not a host. Name it without scheme, port and path.`,
    )
  const host = url.hostname.replace(/\.$/, '')
  const { isIp, isIcann, publicSuffix } = parse(host)
  if (
    (isIp !== true && (publicSuffix === null || (publicSuffix === host && isIcann === true))) ||
    !/[.:]/.test(host)
  )
    throw invalid(
      'value',
      `${host} is a public suffix such as co.uk, or no host name of the internet. Name a host below it.`,
    )
  return host
}

async function findLink({ systemSql, toDomain }: Deps, text: string): Promise<string> {
  const url = toShortUrl(text)
  const found = url && (await findShortLink({ systemSql, toDomain }, url))
  if (!found)
    throw invalid(
      'value',
      `There is no link ${JSON.stringify(text)}. Give its id or its short URL.`,
    )
  return found.linkId
}

/** The SHA-256 of an upload, which is the same in every workspace, and after deleting and uploading it again. */
async function findImage({ systemSql }: Deps, text: string): Promise<string> {
  if (SHA256.test(text)) return text.toLowerCase()
  const id = IMAGE.exec(text)?.[1]
  const rows = id
    ? await systemSql<{ sha256: string }[]>`
        select encode(sha256, 'hex') as sha256 from media where id = ${id}`
    : []
  if (rows.length === 0)
    throw invalid(
      'value',
      `There is no image ${JSON.stringify(text)}. Give its id, its URL, or the SHA-256 of its file.`,
    )
  return rows[0]!.sha256
}

function checkKind(kind: string): Kind {
  const known = BLOCK_KINDS.find((name) => name === kind)
  if (known === undefined)
    throw invalid(
      'kind',
      `${JSON.stringify(kind)} cannot be blocked. Name a host, a link, a workspace or an image.`,
    )
  return known
}
