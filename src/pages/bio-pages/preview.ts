import type { Principal } from '../../platform/routes/principal.ts'
import {
  isOpen,
  type PageContent,
  type ShownLink,
  type PageNode,
  type PageView,
} from '../../platform/facts/bio-page.ts'
import { linkUrlOn } from '../../platform/facts/short-url.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { previewPage } from '../../redirect/pages/bio-tree.ts'
import { checkPlace, readHost } from './addresses.ts'
import { keepLinks } from './block-links.ts'
import { checkContent } from './fields.ts'
import { checkReferences } from './references.ts'
import { loadPage } from './row.ts'
import type { BioPagePreview, UpdateBioPage } from './schema.ts'

/** Drawn as the edge does. A block without a link leads to its URL. */
export async function preview(
  deps: LinkDeps,
  principal: Principal,
  id: string,
  input: UpdateBioPage,
): Promise<BioPagePreview> {
  const nowMs = deps.clock()
  const content = checkContent(input, nowMs)
  const view = await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const before = await loadPage(tx, principal, id)
    const { domainId = before.domainId } = input
    const host = await readHost(tx, principal, domainId)
    checkPlace(input, before, host)
    await checkReferences(tx, principal, content, before)
    const { blocks = before.blocks } = content
    const after = { ...before, ...content, blocks: keepLinks(blocks, before) }
    return readView(deps, tx, principal, { content: after, domainId, nowMs })
  })
  const { style, root } = previewPage(view)
  return { style, nodes: toNodes(root) }
}

async function readView(
  { shortHost }: LinkDeps,
  tx: Tx,
  { workspaceId }: Principal,
  page: { content: PageContent; domainId: string | null; nowMs: number },
): Promise<PageView> {
  const { content, domainId, nowMs } = page
  const fresh = content.blocks.filter(({ type, linkId }) => type === 'link' && linkId === null)
  const linkIds = content.blocks.flatMap(({ linkId }) => linkId ?? [])
  const imageIds = [
    ...(content.avatarMediaId === null ? [] : [content.avatarMediaId]),
    ...content.blocks.flatMap(({ mediaId }) => mediaId ?? []),
  ]
  const links = await tx<ShownLink[]>`
    select l.id, l.slug, d.hostname, l.status, l.options ->> 'startsAt' as starts_at, l.expires_at,
      exists (
        select from link_quotas q
        where q.link_id = l.id and q.workspace_id = l.workspace_id and q.served >= q.max_clicks
      ) as is_used_up
    from links l
    left join domains d on d.id = l.domain_id and d.workspace_id = l.workspace_id
    where l.workspace_id = ${workspaceId} and l.id = any(${linkIds}::text[])`
  const images = await tx<{ id: string }[]>`
    select id from media
    where workspace_id = ${workspaceId} and id = any(${imageIds}::text[])`
  const [domain] = await tx<{ hostname: string }[]>`
    select hostname from domains where id = ${domainId} and workspace_id = ${workspaceId}`
  const shared = shortHost()
  const hostname = domain?.hostname ?? null
  return {
    content: {
      ...content,
      blocks: content.blocks.map((block) =>
        fresh.includes(block) ? { ...block, linkId: block.id } : block,
      ),
    },
    links: new Map([
      ...fresh.map(({ id, url }) => [id, url!] as const),
      ...links
        .filter((link) => isOpen(link, nowMs))
        .map((link) => [link.id, linkUrlOn(hostname, shared, link)] as const),
    ]),
    images: new Set(images.map(({ id }) => id)),
    sharedOrigin: shared.origin,
    isShared: hostname === null,
    nowMs,
  }
}

/** A list instead of a tree, since the OpenAPI document has no recursive shapes. */
function toNodes(root: PageNode): BioPagePreview['nodes'] {
  const nodes: BioPagePreview['nodes'] = []
  const add = (node: PageNode, parent: number | null): void => {
    if (typeof node === 'string') {
      nodes.push({ parent, tag: null, attributes: {}, text: node })
      return
    }
    const { tag, attributes, children } = node
    const place = nodes.push({ parent, tag, attributes: { ...attributes }, text: null }) - 1
    for (const child of children) add(child, place)
  }
  add(root, null)
  return nodes
}
