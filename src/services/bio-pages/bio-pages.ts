import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { page } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type Tx } from '../../storage/postgres.ts'
import type { AuditAction, Changes } from '../audit.ts'
import { getChanges, isDifferent } from '../changes.ts'
import type { Dependencies } from '../dependencies.ts'
import { announceLinks } from '../link-changes.ts'
import { toNameOrder } from '../name-lists.ts'
import { requireOwn } from '../own.ts'
import { countRows, pageMeta } from '../paging.ts'
import { clampLimit } from '../shapes.ts'
import { changeTime, requireMatch } from '../versions.ts'
import {
  checkPlace,
  moveAddresses,
  readHost,
  toAddresses,
  toKeys,
  type AddressRules,
} from './addresses.ts'
import { deleteLeftLinks, keepLinks, writeLinks, type LinkRules } from './block-links.ts'
import { checkContent } from './fields.ts'
import { preview, type DrawPage } from './preview.ts'
import { checkReferences } from './references.ts'
import {
  columnsOf,
  loadPage,
  toBioPage,
  withDomain,
  type PageColumns,
  type PageRow,
} from './row.ts'
import {
  SORT_KEYS,
  type BioPage,
  type CreateBioPage,
  type LinksQuery,
  type ListBioPages,
  type UpdateBioPage,
} from './schema.ts'
import { insertPage, savePage, saveUses } from './stored.ts'
import type { CheckUrl } from './urls.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'keepAnswer'> & {
  links: LinkRules
  addresses: AddressRules
  checkUrl: CheckUrl
  shortHost: () => { origin: string }
  draw: DrawPage
}

export type BioPages = ReturnType<typeof createBioPages>

/** Upper bound under every plan. */
const MAX_PAGES = 1_000
const NO_CONTENT = {
  description: null,
  avatarMediaId: null,
  theme: { preset: 'plain', background: null, text: null, accent: null, font: null },
  blocks: [],
  socials: [],
  seo: { title: null, description: null, imageMediaId: null, noindex: false },
  status: 'draft',
} as const
/** Fields that no client sets, and the blocks, of which a log has the number. */
const DERIVED = [
  ...(['id', 'workspaceId', 'views', 'clicks', 'url', 'createdAt', 'updatedAt', 'blocks'] as const),
]

/**
 * The bio pages of a workspace. Every write happens in one transaction: plan limit, row, the links of blocks, addresses,
 * audit row, and the notice that makes the edges forget the page.
 */
export const createBioPages = (deps: Deps) =>
  bindDeps(deps, { find, get, list, create, update, preview, remove })

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'bio_pages', params['id'], 'page')
}

async function get(deps: Deps, who: Who, id: string): Promise<BioPage> {
  const row = await inWorkspace(deps.sql, who.workspaceId, (tx) => loadPage(tx, who, id))
  return toBioPage(row, deps.shortHost())
}

async function list(deps: Deps, who: Who, query: ListBioPages, signal?: AbortSignal) {
  const { search, status } = query
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(search || status)
  const [rows, counted] = await deps.reads.read(who, signal, (tx) => {
    const where = tx`
      p.workspace_id = ${who.workspaceId}
      ${search ? tx`and strpos(search_form(p.title || ' ' || p.slug), search_form(${search})) > 0` : tx``}
      ${status ? tx`and p.status = ${status}` : tx``}`
    return Promise.all([
      tx<PageRow[]>`
        select ${columnsOf(tx)} from bio_pages p ${withDomain(tx)} where ${where}
        order by ${toNameOrder(tx, SORT_KEYS, query, 'p.id')} limit ${slice.limit} offset ${slice.offset}`,
      countRows(tx, tx`bio_pages p where ${where}`, isPart),
    ])
  })
  const host = deps.shortHost()
  return page(
    rows.map((row) => toBioPage(row, host)),
    pageMeta(counted, isPart, slice),
  )
}

/** @throws ApiError CONFLICT for a slug that is taken; PLAN_LIMIT_REACHED */
async function create(deps: Deps, who: Who, input: CreateBioPage): Promise<BioPage> {
  const { workspaceId } = who
  const nowMs = deps.clock()
  const now = new Date(nowMs)
  const content = { ...NO_CONTENT, title: '', ...checkContent(input, { ...deps, nowMs }) }
  const id = newId('bio', nowMs)
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const host = await readHost(tx, who, { domainId: input.domainId ?? null })
    const place = checkPlace(input, null, host)
    await checkReferences(tx, who, content, null)
    await deps.limit(tx, workspaceId, 'bio_pages')
    await requireRoom(tx, who)
    const { domainId } = host
    const written = await writeLinks(deps.links, tx, who, { ...content, domainId, before: null })
    const columns: PageColumns = {
      ...{ id, workspaceId, ...content, ...place, blocks: written.blocks },
      ...{ publishedAt: content.status === 'published' ? now : null },
      ...{ createdAt: now, updatedAt: now },
    }
    await insertPage(tx, columns)
    const addresses = toAddresses(columns, host)
    await moveAddresses(deps.addresses, tx, who, [], addresses, now)
    await saveUses(tx, who, columns, written.created)
    const bioPage = toBioPage(await loadPage(tx, who, id), deps.shortHost())
    await record(deps, tx, who, 'bio_page.created', bioPage, toChanges(null, bioPage))
    await announceLinks(tx, toKeys(addresses))
    return deps.keepAnswer(tx, who, bioPage)
  })
}

/** @throws ApiError CONFLICT for a slug that is taken; PRECONDITION_FAILED */
async function update(
  deps: Deps,
  who: Who,
  id: string,
  input: UpdateBioPage,
  query: LinksQuery,
): Promise<BioPage> {
  const { workspaceId } = who
  const content = checkContent(input, { ...deps, nowMs: deps.clock() })
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const before = await loadPage(tx, who, id, tx`for update of p`)
    const present = toBioPage(before, deps.shortHost())
    requireMatch(who, present)
    const { domainId = before.domainId } = input
    const host = await readHost(tx, who, { domainId })
    const place = checkPlace(input, before, host)
    await checkReferences(tx, who, content, before)
    const blocks = content.blocks && keepLinks(content.blocks, before)
    const written = blocks
      ? await writeLinks(deps.links, tx, who, { domainId, blocks, before })
      : { blocks: before.blocks, created: [] }
    const columns = { ...content, ...place, blocks: written.blocks }
    const now = changeTime(deps.clock(), before)
    const after = {
      ...before,
      ...columns,
      publishedAt: toPublishedAt(before, content.status, now),
    }
    if (isDifferent<PageColumns>(before, columns)) {
      after.updatedAt = now
      await savePage(tx, after)
      if (query.links === 'delete')
        await deleteLeftLinks(deps.links, tx, who, before, written.blocks)
      await saveUses(tx, who, after, written.created)
    }
    return finish(deps, tx, who, { before, present, after, host, now })
  })
}

type Changed = {
  before: PageRow
  present: BioPage
  after: PageRow
  host: Awaited<ReturnType<typeof readHost>>
  now: Date
}

/** Moves the addresses of a changed page, and writes its audit row and its notices. */
async function finish(deps: Deps, tx: Tx, who: Who, changed: Changed): Promise<BioPage> {
  const { before, present, after, host, now } = changed
  const shown = toBioPage(await loadPage(tx, who, after.id), deps.shortHost())
  const changes = toChanges(present, shown)
  if (Object.keys(changes).length === 0) return shown
  const formerHost = { ...host, domainId: before.domainId, isCaseSensitive: before.isCaseSensitive }
  const [left, taken] = [toAddresses(before, formerHost), toAddresses(after, host)]
  await moveAddresses(deps.addresses, tx, who, left, taken, now)
  await record(deps, tx, who, 'bio_page.updated', shown, changes)
  await announceLinks(tx, toKeys([...left, ...taken]))
  return shown
}

/** Deletes a page. Its slug stays reserved for the workspace for 30 days. */
async function remove(deps: Deps, who: Who, id: string, { links }: LinksQuery): Promise<void> {
  const { workspaceId } = who
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'bio_pages', -1)
    const before = await loadPage(tx, who, id, tx`for update of p`)
    const host = { ...before, rootRedirectUrl: null }
    const addresses = toAddresses(before, host)
    await tx`delete from media_uses where used_by = ${id} and workspace_id = ${workspaceId}`
    await tx`delete from bio_pages where id = ${id} and workspace_id = ${workspaceId}`
    if (links === 'delete') await deleteLeftLinks(deps.links, tx, who, before, [])
    await deps.addresses.free(tx, who, addresses, new Date(deps.clock()))
    const gone = toBioPage(before, deps.shortHost())
    const changes = { title: { old: gone.title, new: null }, slug: { old: gone.slug, new: null } }
    await record(deps, tx, who, 'bio_page.deleted', gone, changes)
    await announceLinks(tx, toKeys(addresses))
  })
}

async function requireRoom(tx: Tx, { workspaceId }: Who): Promise<void> {
  const total = await countRows(tx, tx`bio_pages where workspace_id = ${workspaceId}`, false)
  if (total >= MAX_PAGES)
    throw new ApiError(
      'PLAN_LIMIT_REACHED',
      `A workspace has at most ${MAX_PAGES} bio pages; delete one first.`,
      { limit: 'bio_pages', max: MAX_PAGES, used: total },
    )
}

function toPublishedAt(
  before: PageRow,
  status: BioPage['status'] = before.status,
  now: Date,
): Date | null {
  if (status === 'draft') return null
  return before.publishedAt ?? now
}

/** @param before null for a new page */
function toChanges(before: BioPage | null, after: BioPage): Changes {
  const unset = { ...NO_CONTENT, slug: null, title: null, domainId: null, isRoot: false }
  const changes = getChanges((before ?? { ...unset, publishedAt: null }) as BioPage, after, DERIVED)
  const { blocks } = getChanges({ blocks: before?.blocks ?? [] }, { blocks: after.blocks })
  if (!blocks) return changes
  return { ...changes, blocks: { old: before?.blocks.length ?? 0, new: after.blocks.length } }
}

async function record(
  { audit }: Deps,
  tx: Tx,
  who: Who,
  action: AuditAction,
  { id, title }: BioPage,
  changes: Changes,
): Promise<void> {
  await audit(tx, who, { action, target: { type: 'bio_page', id, name: title }, changes })
}
