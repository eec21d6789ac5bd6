import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { PageBlock } from '../../platform/facts/bio-page.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkChange } from '../../links/write/update.ts'
import type { Outcome } from '../../links/link/outcomes.ts'
import type { CreateLink } from '../../links/link/schema.ts'
import type { PageRow, ShownLink } from './row.ts'

/** The rules of links, in a transaction of the caller. */
export type LinkRules = {
  createMany: (tx: Tx, principal: Principal, inputs: readonly CreateLink[]) => Promise<Outcome[]>
  updateMany: (tx: Tx, principal: Principal, changes: readonly LinkChange[]) => Promise<Outcome[]>
  deleteMany: (tx: Tx, principal: Principal, ids: readonly string[]) => Promise<Outcome[]>
}

type Links = readonly ShownLink[]
type LinkBlock = PageBlock & { index: number; title: string }

/** Fields of blocks by those of their links. */
const PATHS: Readonly<Record<string, string>> = { destinationUrl: 'url', name: 'title' }

/** A block that a request names by its id keeps its link. */
export function keepLinks(blocks: readonly PageBlock[], before: PageRow | null): PageBlock[] {
  const known = new Map((before?.blocks ?? []).map((block) => [block.id, block]))
  return blocks.map((block) => {
    const kept = known.get(block.id)
    const isKept = block.type === 'link' && block.linkId === null && kept?.type === 'link'
    return isKept ? { ...block, linkId: kept.linkId } : block
  })
}

/**
 * Creates the links of blocks that have none, and changes those that the page has created as their blocks say: the
 * destination, and the name while it is the title of the block.
 * @returns the blocks with the ids of their links
 * @throws ApiError of a refused link, with the path of its block
 */
export async function writeLinks(
  rules: LinkRules,
  tx: Tx,
  principal: Principal,
  page: { domainId: string | null; blocks: readonly PageBlock[]; before: PageRow | null },
): Promise<{ blocks: PageBlock[]; created: string[] }> {
  const { domainId, before } = page
  const blocks = page.blocks.map((block) => ({ ...block }))
  const ofLinks = blocks.flatMap((block, index) =>
    block.type === 'link' ? [{ ...block, index, title: block.title! }] : [],
  )
  const fresh = ofLinks.filter(({ linkId }) => linkId === null)
  const inputs = fresh.map(({ title, url }) => ({
    name: title,
    destinationUrl: url!,
    ...(domainId !== null && { domainId }),
  }))
  const outcomes = fresh.length > 0 ? await rules.createMany(tx, principal, inputs) : []
  const created = fresh.map(({ index }, i) => {
    const { id } = requireDone(outcomes[i]!, index)
    blocks[index]!.linkId = id
    return id
  })
  await changeLinks(rules, tx, principal, ofLinks, before)
  return { blocks: blocks.map(withoutLinkUrl), created }
}

async function changeLinks(
  rules: LinkRules,
  tx: Tx,
  principal: Principal,
  blocks: readonly LinkBlock[],
  before: PageRow | null,
): Promise<void> {
  const own = new Map(ownLinks(before?.links ?? []).map((link) => [link.id, link]))
  const titles = new Map((before?.blocks ?? []).map(({ id, title }) => [id, title]))
  const changed = blocks.flatMap((block) => {
    const link = own.get(block.linkId ?? '')
    if (!link) return []
    // Of several blocks of one link the first counts.
    own.delete(link.id)
    const isNamedAfter = link.name === titles.get(block.id) && link.name !== block.title
    const leadsElsewhere = block.url !== null && block.url !== link.destinationUrl
    if (!isNamedAfter && !leadsElsewhere) return []
    const input = {
      ...(isNamedAfter && { name: block.title }),
      ...(leadsElsewhere && { destinationUrl: block.url! }),
    }
    return [{ index: block.index, change: { id: link.id, input } }]
  })
  if (changed.length === 0) return
  const outcomes = await rules.updateMany(
    tx,
    principal,
    changed.map(({ change }) => change),
  )
  for (const [i, { index }] of changed.entries()) requireDone(outcomes[i]!, index)
}

/** Registers the links that a page shows. @param created those that it has just created */
export async function saveLinkUses(
  tx: Tx,
  { workspaceId }: Principal,
  pageId: string,
  blocks: readonly PageBlock[],
  created: readonly string[],
): Promise<void> {
  const ids = [...new Set(blocks.flatMap(({ linkId }) => linkId ?? []))]
  await tx`
    delete from bio_page_links
    where page_id = ${pageId} and workspace_id = ${workspaceId} and link_id <> all(${ids}::text[])`
  await tx`
    insert into bio_page_links (page_id, workspace_id, link_id, is_own)
    select ${pageId}, ${workspaceId}, id, id = any(${[...created]}::text[]) from unnest(${ids}::text[]) as shown (id)
    on conflict (page_id, link_id) do nothing`
}

/** Deletes links that a page has created and does not show any more, unless another page shows them. */
export async function deleteLeftLinks(
  rules: LinkRules,
  tx: Tx,
  principal: Principal,
  before: PageRow,
  blocks: readonly PageBlock[],
): Promise<void> {
  const shown = new Set(blocks.map(({ linkId }) => linkId))
  const left = ownLinks(before.links).flatMap(({ id }) => (shown.has(id) ? [] : [id]))
  if (left.length === 0) return
  const elsewhere = await tx<{ linkId: string }[]>`
    select link_id from bio_page_links
    where link_id = any(${left}::text[]) and page_id <> ${before.id} and workspace_id = ${principal.workspaceId}`
  const kept = new Set(elsewhere.map(({ linkId }) => linkId))
  const gone = left.filter((id) => !kept.has(id))
  if (gone.length > 0) await rules.deleteMany(tx, principal, gone)
}

function ownLinks(links: Links): Links {
  return links.filter(({ isOwn }) => isOwn)
}

/** The URL of a link is the destination of its link, which is read with the page. */
function withoutLinkUrl(block: PageBlock): PageBlock {
  return block.type === 'link' ? { ...block, url: null } : block
}

function requireDone(outcome: Outcome, index: number): { id: string } {
  if (outcome.status !== 'failed') return outcome.link
  const { code, message, details } = outcome.error
  if (!Array.isArray(details)) throw outcome.error
  const moved = (details as ErrorDetail[]).map((detail) => ({
    ...detail,
    path: `blocks.${index}.${PATHS[detail.path] ?? detail.path}`,
  }))
  throw new ApiError(code, message, moved)
}
