import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { PageBlock } from '../../platform/facts/bio-page.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { Outcome } from '../../links/write/outcomes.ts'
import { createMany } from '../../links/write/create.ts'
import { deleteMany, updateMany } from '../../links/write/change.ts'
import type { PageRow, ShownLink } from './row.ts'

type LinkBlock = PageBlock & { index: number; title: string }

const PATHS: Readonly<Record<string, string>> = { destinationUrl: 'url', name: 'title' }

/** A block that is sent with its id keeps its link. */
export function keepLinks(blocks: readonly PageBlock[], before: PageRow | null): PageBlock[] {
  const known = new Map((before?.blocks ?? []).map((block) => [block.id, block]))
  return blocks.map((block) => {
    const kept = known.get(block.id)
    const isKept = block.type === 'link' && block.linkId === null && kept?.type === 'link'
    return isKept ? { ...block, linkId: kept.linkId } : block
  })
}

/** Links that the page created follow its blocks: the destination, and the name while it is the block's title. */
export async function writeLinks(
  deps: LinkDeps,
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
  const outcomes = fresh.length > 0 ? await createMany(deps, tx, principal, inputs) : []
  const created = fresh.map(({ index }, i) => {
    const { id } = requireDone(outcomes[i]!, index)
    blocks[index]!.linkId = id
    return id
  })
  await changeLinks(deps, tx, principal, ofLinks, before)
  return {
    // The URL of a link block is read from its link.
    blocks: blocks.map((block) => (block.type === 'link' ? { ...block, url: null } : block)),
    created,
  }
}

async function changeLinks(
  deps: LinkDeps,
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
    // If several blocks show one link, the first decides.
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
  const changes = changed.map(({ change }) => change)
  const outcomes = await updateMany(deps, tx, principal, changes)
  for (const [i, { index }] of changed.entries()) requireDone(outcomes[i]!, index)
}

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

export async function deleteLeftLinks(
  deps: LinkDeps,
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
  if (gone.length > 0) await deleteMany(deps, tx, principal, gone)
}

function ownLinks(links: readonly ShownLink[]): readonly ShownLink[] {
  return links.filter(({ isOwn }) => isOwn)
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
