import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { saveLinkUses } from './block-links.ts'
import { saveImageUses } from './references.ts'
import type { PageColumns } from './row.ts'

export async function insertPage(tx: Tx, page: PageColumns): Promise<void> {
  await tx`
    insert into bio_pages (id, workspace_id, domain_id, slug, is_root, title, description, avatar_media_id, theme,
      blocks, socials, seo, status, published_at, created_at, updated_at)
    values (${page.id}, ${page.workspaceId}, ${page.domainId}, ${page.slug}, ${page.isRoot}, ${page.title},
      ${page.description}, ${page.avatarMediaId}, ${toJson(tx, page.theme)}, ${toJson(tx, page.blocks)},
      ${toJson(tx, page.socials)}, ${toJson(tx, page.seo)}, ${page.status}, ${page.publishedAt}, ${page.createdAt},
      ${page.updatedAt})`
}

/** Writes the columns that a change of a page may touch. */
export async function savePage(tx: Tx, page: PageColumns): Promise<void> {
  await tx`
    update bio_pages set domain_id = ${page.domainId}, slug = ${page.slug}, is_root = ${page.isRoot},
      title = ${page.title}, description = ${page.description}, avatar_media_id = ${page.avatarMediaId},
      theme = ${toJson(tx, page.theme)}, blocks = ${toJson(tx, page.blocks)},
      socials = ${toJson(tx, page.socials)}, seo = ${toJson(tx, page.seo)}, status = ${page.status},
      published_at = ${page.publishedAt}, updated_at = ${page.updatedAt}
    where id = ${page.id} and workspace_id = ${page.workspaceId}`
}

function toJson(tx: Tx, value: unknown) {
  return tx`${JSON.stringify(value)}::text::jsonb`
}

/** Registers the links and images that a page shows. @param created links that were created for it just now */
export async function saveUses(
  tx: Tx,
  principal: Principal,
  page: PageColumns,
  created: readonly string[],
) {
  await saveLinkUses(tx, principal, page.id, page.blocks, created)
  await saveImageUses(tx, principal, page)
}
