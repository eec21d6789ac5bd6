import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import {
  listPageTargets,
  type PageBlock,
  type PageContent,
  type PageSeo,
} from '../../platform/facts/bio-page.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { blockedTarget, findBlockedTarget, readBlockedTargets } from '../../links/write/refusals.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import type { PageColumns } from './row.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'

type Reference = { path: string; id: string; noun: 'link' | 'image' }
type Content = Partial<Pick<PageContent, 'avatarMediaId' | 'blocks' | 'seo' | 'socials'>>

/** Ids that the page already has may stay, even if their link or image is deleted. */
export async function checkReferences(
  tx: Tx,
  principal: Principal,
  content: Content,
  before: PageColumns | null,
): Promise<void> {
  const targets = listPageTargets(content)
  const blocked = findBlockedTarget(targets, await readBlockedTargets(tx, targets))
  if (blocked) throw blockedTarget(blocked)
  const held = new Set(before === null ? [] : referencesOf(before).map(({ id }) => id))
  const named = referencesOf(content).filter(({ id }) => !held.has(id))
  if (named.length === 0) return
  const ids = (noun: Reference['noun']) =>
    named.filter((reference) => reference.noun === noun).map(({ id }) => id)
  const { workspaceId } = principal
  const [links, images] = await allOf([
    tx<{ id: string }[]>`
      select id from links where workspace_id = ${workspaceId} and id = any(${ids('link')}::text[])`,
    tx<{ id: string }[]>`
      select id from media where workspace_id = ${workspaceId} and id = any(${ids('image')}::text[])
      order by id for key share`,
  ])
  const known = {
    link: new Set(links.map(({ id }) => id)),
    image: new Set(images.map(({ id }) => id)),
  }
  const missing = named.filter(({ id, noun }) => !known[noun].has(id))
  const foreign = await readForeign(
    tx,
    ['links', 'media'],
    missing.map(({ id }) => id),
  )
  const [first] = missing
  if (first === undefined) return
  const other = missing.find(({ id }) => foreign.has(id))
  if (other) throw isForeign(other)
  const { path, noun } = first
  const article = noun === 'image' ? 'an' : 'a'
  throw invalid(path, `${path} must be the id of ${article} ${noun} of this workspace.`, 'unknown')
}

/** Stores which images a page shows; they are public while it is published. */
export async function saveImageUses(tx: Tx, { workspaceId }: Principal, page: PageColumns) {
  const isPublic = page.status === 'published'
  const images = referencesOf(page).flatMap(({ noun, id }) => (noun === 'image' ? id : []))
  await tx`delete from media_uses where used_by = ${page.id} and workspace_id = ${workspaceId}`
  await tx`
    insert into media_uses (media_id, workspace_id, type, used_by, is_public)
    select id, ${workspaceId}, 'bio_page', ${page.id}, ${isPublic}::boolean from media
    where workspace_id = ${workspaceId} and id = any(${images}::text[])`
}

function referencesOf({ avatarMediaId, blocks = [], seo }: Content): Reference[] {
  const images = [
    { path: 'avatarMediaId', id: avatarMediaId },
    { path: 'seo.imageMediaId', id: seo?.imageMediaId },
  ]
  return [
    ...images.flatMap(({ path, id }) => (id ? [{ path, id, noun: 'image' as const }] : [])),
    ...blocks.flatMap((block, i) => referencesOfBlock(block, `blocks.${i}`)),
  ]
}

function referencesOfBlock({ linkId, mediaId }: PageBlock, path: string): Reference[] {
  return [
    ...(linkId === null ? [] : [{ path: `${path}.linkId`, id: linkId, noun: 'link' as const }]),
    ...(mediaId === null ? [] : [{ path: `${path}.mediaId`, id: mediaId, noun: 'image' as const }]),
  ]
}

function isForeign({ path, noun }: Reference): ApiError {
  return new ApiError('FORBIDDEN', `${path} belongs to another workspace.`, [
    { path, message: `This ${noun} belongs to another workspace.`, code: 'foreign' },
  ])
}

/** A page before the change, and the number of blocks that it keeps. */
type Changed = {
  id: string
  title: string
  avatarMediaId: string | null
  seo: PageSeo
  blocks: number
  keptBlocks: number
}

/** The trigger on `media_uses` announces the pages to the edges. */
export async function dropImageOfPages(
  { clock, audit }: Pick<LinkDeps, 'clock' | 'audit'>,
  tx: Tx,
  principal: Principal,
  mediaId: string,
  pageIds: readonly string[],
): Promise<void> {
  const { workspaceId } = principal
  const changed = await tx<Changed[]>`
    with before as (
      select id, avatar_media_id, seo, blocks from bio_pages
      where id = any(${[...pageIds]}::text[]) and workspace_id = ${workspaceId}
      order by id for update
    ), kept as (
      select id, (
        select coalesce(jsonb_agg(block order by place), '[]')
        from jsonb_array_elements(blocks) with ordinality as listed (block, place)
        where block ->> 'mediaId' is distinct from ${mediaId}
      ) as blocks
      from before
    )
    update bio_pages p set
      avatar_media_id = nullif(p.avatar_media_id, ${mediaId}),
      seo = case when p.seo ->> 'imageMediaId' = ${mediaId} then p.seo || '{"imageMediaId":null}' else p.seo end,
      blocks = kept.blocks,
      updated_at = greatest(${new Date(clock())}::timestamptz, p.updated_at + interval '1 millisecond')
    from before join kept using (id)
    where p.id = before.id and p.workspace_id = ${workspaceId}
    returning p.id, p.title, before.avatar_media_id, before.seo, jsonb_array_length(before.blocks) as blocks,
      jsonb_array_length(kept.blocks) as kept_blocks`
  const entries = changed.map((page) => ({
    action: 'bio_page.updated' as const,
    target: { type: 'bio_page', id: page.id, name: page.title },
    changes: toChanges(page, mediaId),
  }))
  await audit(tx, principal, ...entries)
}

function toChanges({ avatarMediaId, seo, blocks, keptBlocks }: Changed, mediaId: string): Changes {
  return {
    ...(avatarMediaId === mediaId && { avatarMediaId: { old: mediaId, new: null } }),
    ...(seo.imageMediaId === mediaId && {
      seo: { old: seo, new: { ...seo, imageMediaId: null } },
    }),
    ...(blocks !== keptBlocks && { blocks: { old: blocks, new: keptBlocks } }),
  }
}
