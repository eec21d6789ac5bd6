import type { Principal } from '../../platform/routes/principal.ts'
import type { PageSeo } from '../../platform/facts/bio-page.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Changes } from '../../platform/audit/audit.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'

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
