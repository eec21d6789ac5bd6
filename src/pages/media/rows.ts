import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { Media } from './schema.ts'

export type Row = Omit<Media, 'workspaceId' | 'url' | 'createdAt' | 'sha256'> & {
  workspaceId: string
  sha256: Buffer
  createdAt: Date
}

const BYTES_PER_MB = 1_000_000
const SHOWN_USES = 20

export function columnsOf(tx: Tx) {
  return tx`id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at, (
    select coalesce(json_agg(json_build_object('type', u.type, 'id', u.used_by, 'name', u.name)), '[]')
    from (
      select u.type, u.used_by, coalesce(l.name, p.title) as name from media_uses u
      left join links l on l.id = u.used_by and l.workspace_id = u.workspace_id
      left join bio_pages p on p.id = u.used_by and p.workspace_id = u.workspace_id
      where u.media_id = media.id and u.workspace_id = media.workspace_id
      order by u.used_by limit ${SHOWN_USES}
    ) as u
  ) as used_by`
}

export function toMedia(
  { shortHost }: Pick<LinkDeps, 'shortHost'>,
  { sha256, createdAt, ...row }: Row,
): Media {
  return {
    ...row,
    sha256: sha256.toString('hex'),
    url: `${shortHost().origin}/media-public/${row.id}`,
    createdAt: createdAt.toISOString(),
  }
}

/** Charges the change of the workspace's total, rounded up as a whole rather than for each image. */
export async function charge(
  { limit }: Pick<LinkDeps, 'limit'>,
  tx: Tx,
  { workspaceId }: Principal,
  bytes: number,
): Promise<void> {
  const [{ sum }] = await tx<[{ sum: number }]>`
    select coalesce(sum(size), 0)::bigint as sum from media where workspace_id = ${workspaceId}`
  const amount = toMegabytes(sum + bytes) - toMegabytes(sum)
  if (amount !== 0) await limit(tx, workspaceId, 'media_storage_mb', amount)
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MB)
}
