import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { listPageTargets, type PageBlock, type PageContent } from '../../platform/facts/bio-page.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { blockedTarget, findBlockedTarget, readBlockedTargets } from '../../links/write/refusals.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import type { PageColumns } from './row.ts'

type Reference = { path: string; id: string; noun: 'link' | 'image' }
type Content = Partial<Pick<PageContent, 'avatarMediaId' | 'blocks' | 'seo' | 'socials'>>

/** Ids that the page already has may stay, even if their link or image is deleted. */
export async function checkReferences(
  tx: Tx,
  principal: Principal,
  content: Content,
  before: PageColumns | null,
): Promise<void> {
  await refuseBlockedHosts(tx, content)
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

async function refuseBlockedHosts(tx: Tx, content: Content): Promise<void> {
  const targets = listPageTargets(content)
  const found = findBlockedTarget(targets, await readBlockedTargets(tx, targets))
  if (found) throw blockedTarget(found)
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
