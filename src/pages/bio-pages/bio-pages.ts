import { bindDeps } from '../../platform/core/functions.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { getChanges, isDifferent, type Changes } from '../../platform/audit/audit.ts'
import { announceLinks, freeAddresses } from '../../links/link/addresses.ts'
import { countRows, pageMeta, toNameOrder } from '../../platform/resources/lists.ts'
import { ownTable, requireRoom } from '../../platform/resources/ownership.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { changeTime, requireMatch } from '../../platform/resources/versions.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import {
  checkPlace,
  moveAddresses,
  readHost,
  toAddresses,
  toKeys,
  type PageHost,
} from './addresses.ts'
import { deleteLeftLinks, keepLinks, saveLinkUses, writeLinks } from './block-links.ts'
import { checkContent } from './fields.ts'
import { readBlocks } from './imported.ts'
import { preview } from './preview.ts'
import { checkReferences, saveImageUses } from './references.ts'
import {
  columnsOf,
  insertPage,
  loadPage,
  savePage,
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

export type BioPages = ReturnType<typeof createBioPages>

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
/** Fields that no client sets, and the blocks: the log has only their number. */
const NOT_LOGGED = [
  ...(['id', 'workspaceId', 'views', 'clicks', 'url', 'createdAt', 'updatedAt', 'blocks'] as const),
]

const { find } = ownTable('bio_pages', 'page')

export const createBioPages = (deps: LinkDeps) =>
  bindDeps(deps, { find, get, list, create, update, preview, remove })

async function get(deps: LinkDeps, principal: Principal, id: string): Promise<BioPage> {
  const row = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    loadPage(tx, principal, id),
  )
  return toBioPage(row, deps.shortHost())
}

async function list(
  deps: LinkDeps,
  principal: Principal,
  query: ListBioPages,
  signal?: AbortSignal,
) {
  const { search, status } = query
  const slice = { limit: clampLimit(query.limit), offset: query.offset }
  const isPart = Boolean(search || status)
  const [rows, counted] = await deps.reads.read(principal, signal, (tx) => {
    const where = tx`
      p.workspace_id = ${principal.workspaceId}
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

async function create(deps: LinkDeps, principal: Principal, input: CreateBioPage) {
  const { workspaceId } = principal
  const nowMs = deps.clock()
  const now = new Date(nowMs)
  const { leftOut, ...imported } = await readBlocks(deps, principal, input)
  const content = { ...NO_CONTENT, title: '', ...checkContent({ ...input, ...imported }, nowMs) }
  const id = newId('bio', nowMs)
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const { domainId = null } = input
    const host = await readHost(tx, principal, domainId)
    const place = checkPlace(input, null, host)
    await checkReferences(tx, principal, content, null)
    await deps.limit(tx, workspaceId, 'bio_pages')
    await requireRoom(tx, principal, 'bio_pages', 'bio pages', MAX_PAGES)
    const { blocks } = content
    const written = await writeLinks(deps, tx, principal, { domainId, blocks, before: null })
    const columns: PageColumns = {
      ...{ id, workspaceId, ...content, ...place, blocks: written.blocks },
      ...{ publishedAt: content.status === 'published' ? now : null },
      ...{ createdAt: now, updatedAt: now },
    }
    await insertPage(tx, columns)
    const addresses = toAddresses(columns, host)
    await moveAddresses(tx, principal, [], addresses, now)
    await saveUses(tx, principal, columns, written.created)
    const bioPage = toBioPage(await loadPage(tx, principal, id), deps.shortHost())
    await deps.audit(tx, principal, {
      action: 'bio_page.created',
      target: toTarget(bioPage),
      changes: toChanges(null, bioPage),
    })
    await announceLinks(tx, toKeys(addresses))
    return deps.saveIdempotentResponse(tx, principal, page(bioPage, { leftOut }))
  })
}

async function update(
  deps: LinkDeps,
  principal: Principal,
  id: string,
  input: UpdateBioPage,
  query: LinksQuery,
): Promise<BioPage> {
  const { workspaceId } = principal
  const content = checkContent(input, deps.clock())
  return inWorkspace(deps.sql, workspaceId, async (tx) => {
    const before = await loadPage(tx, principal, id, tx`for update of p`)
    const present = toBioPage(before, deps.shortHost())
    requireMatch(principal, present)
    const { domainId = before.domainId } = input
    const host = await readHost(tx, principal, domainId)
    const place = checkPlace(input, before, host)
    await checkReferences(tx, principal, content, before)
    const blocks = content.blocks && keepLinks(content.blocks, before)
    const written = blocks
      ? await writeLinks(deps, tx, principal, { domainId, blocks, before })
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
        await deleteLeftLinks(deps, tx, principal, before, written.blocks)
      await saveUses(tx, principal, after, written.created)
    }
    return finish(deps, tx, principal, { before, present, after, host, now })
  })
}

type Changed = { before: PageRow; present: BioPage; after: PageRow; host: PageHost; now: Date }

async function finish(deps: LinkDeps, tx: Tx, principal: Principal, changed: Changed) {
  const { before, present, after, host, now } = changed
  const shown = toBioPage(await loadPage(tx, principal, after.id), deps.shortHost())
  const changes = toChanges(present, shown)
  if (Object.keys(changes).length === 0) return shown
  const formerHost = { ...host, domainId: before.domainId, isCaseSensitive: before.isCaseSensitive }
  const [left, taken] = [toAddresses(before, formerHost), toAddresses(after, host)]
  await moveAddresses(tx, principal, left, taken, now)
  await deps.audit(tx, principal, { action: 'bio_page.updated', target: toTarget(shown), changes })
  await announceLinks(tx, toKeys([...left, ...taken]))
  return shown
}

async function remove(deps: LinkDeps, principal: Principal, id: string, { links }: LinksQuery) {
  const { workspaceId } = principal
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await deps.limit(tx, workspaceId, 'bio_pages', -1)
    const before = await loadPage(tx, principal, id, tx`for update of p`)
    const addresses = toAddresses(before, { ...before, rootRedirectUrl: null })
    await tx`delete from media_uses where used_by = ${id} and workspace_id = ${workspaceId}`
    await tx`delete from bio_pages where id = ${id} and workspace_id = ${workspaceId}`
    if (links === 'delete') await deleteLeftLinks(deps, tx, principal, before, [])
    await freeAddresses(tx, principal, addresses, new Date(deps.clock()))
    const gone = toBioPage(before, deps.shortHost())
    const changes = { title: { old: gone.title, new: null }, slug: { old: gone.slug, new: null } }
    await deps.audit(tx, principal, { action: 'bio_page.deleted', target: toTarget(gone), changes })
    await announceLinks(tx, toKeys(addresses))
  })
}

async function saveUses(
  tx: Tx,
  principal: Principal,
  row: PageColumns,
  created: readonly string[],
): Promise<void> {
  await saveLinkUses(tx, principal, row.id, row.blocks, created)
  await saveImageUses(tx, principal, row)
}

function toPublishedAt(before: PageRow, status: BioPage['status'] = before.status, now: Date) {
  if (status === 'draft') return null
  return before.publishedAt ?? now
}

function toChanges(before: BioPage | null, after: BioPage): Changes {
  const unset = { ...NO_CONTENT, slug: null, title: null, domainId: null, isRoot: false }
  const changes = getChanges(
    (before ?? { ...unset, publishedAt: null }) as BioPage,
    after,
    NOT_LOGGED,
  )
  const { blocks } = getChanges({ blocks: before?.blocks ?? [] }, { blocks: after.blocks })
  if (!blocks) return changes
  return { ...changes, blocks: { old: before?.blocks.length ?? 0, new: after.blocks.length } }
}

function toTarget({ id, title }: { id: string; title: string }) {
  return { type: 'bio_page', id, name: title }
}
