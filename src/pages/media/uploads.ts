import { createHash } from 'node:crypto'
import { requireRoom } from '../../platform/resources/ownership.ts'
import { newId } from '../../platform/core/ids.ts'
import type { Upload } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { Picture } from './picture-process.ts'
import type { Pictures } from './pictures.ts'
import type { Media } from './schema.ts'

export type UploadDeps = LinkDeps & { pictures: Pick<Pictures, 'inspect'> }

const MAX_MEDIA = 10_000
const MAX_NAME_CHARS = 100
const SHOWN_USES = 20
export const COLUMNS = `id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at, (
  select coalesce(json_agg(json_build_object('type', u.type, 'id', u.used_by, 'name', u.name)), '[]')
  from (
    select u.type, u.used_by, coalesce(l.name, p.title, w.name) as name from media_uses u
    left join links l on l.id = u.used_by and l.workspace_id = u.workspace_id
    left join bio_pages p on p.id = u.used_by and p.workspace_id = u.workspace_id
    left join workspaces w on w.id = u.used_by and w.id = u.workspace_id
    where u.media_id = media.id and u.workspace_id = media.workspace_id
    order by u.used_by limit ${SHOWN_USES}
  ) as u
) as used_by`

export async function storeImage(
  deps: UploadDeps,
  principal: Principal,
  { bytes, filename }: Pick<Upload, 'bytes' | 'filename'>,
  signal?: AbortSignal,
): Promise<Media> {
  const sha256 = createHash('sha256').update(bytes).digest()
  // Checked before the expensive decoding, and again when the image is stored.
  const known = await inWorkspace(deps.sql, principal.workspaceId, async (tx) => {
    const same = await findSame(tx, principal, sha256)
    if (!same) await requireRoom(tx, principal, 'media', 'images', MAX_MEDIA)
    return same ? deps.saveIdempotentResponse(tx, principal, toMedia(deps, same)) : null
  })
  if (known) return known
  const picture = await deps.pictures.inspect(principal, bytes, signal)
  return store(deps, principal, { bytes, sha256, filename: toSafeName(filename, picture), picture })
}

type NewFile = { bytes: Buffer; sha256: Buffer; filename: string; picture: Picture }

async function store(deps: UploadDeps, principal: Principal, file: NewFile): Promise<Media> {
  const { sql, clock, audit, saveIdempotentResponse } = deps
  const { workspaceId } = principal
  const { bytes, sha256, filename, picture } = file
  const files = [
    { kind: 'original', contentType: picture.contentType, bytes, sha256 },
    ...picture.copies,
  ]
  return inWorkspace(sql, workspaceId, async (tx) => {
    // Uploads of a workspace are serialized, since their sum is charged in whole megabytes.
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    const same = await findSame(tx, principal, sha256)
    if (same) return saveIdempotentResponse(tx, principal, toMedia(deps, same))
    await requireRoom(tx, principal, 'media', 'images', MAX_MEDIA)
    await charge(deps, tx, principal, bytes.length)
    const { copies: _copies, ...facts } = picture
    const createdAt = new Date(clock())
    const id = newId('med', createdAt.getTime())
    const row = { filename, ...facts, size: bytes.length, sha256, createdAt }
    await tx`insert into media ${tx({ id, workspaceId, ...row })}`
    for (const one of files)
      await tx`
        insert into media_files (media_id, workspace_id, kind, content_type, sha256, bytes)
        values (${id}, ${workspaceId}, ${one.kind}, ${one.contentType}, ${one.sha256}, ${one.bytes})`
    const changes = { filename: { old: null, new: filename } }
    await audit(tx, principal, {
      action: 'media.created',
      target: { type: 'media', id, name: filename },
      changes,
    })
    return saveIdempotentResponse(
      tx,
      principal,
      toMedia(deps, { id, workspaceId, ...row, usedBy: [] }),
    )
  })
}

async function findSame(tx: Tx, { workspaceId }: Principal, sha256: Buffer) {
  const [row] = await tx<Row[]>`
    select ${tx.unsafe(COLUMNS)} from media where workspace_id = ${workspaceId} and sha256 = ${sha256}`
  return row
}

function toSafeName(filename: string | null, { contentType }: Picture): string {
  const safe = (filename ?? '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}"\\/:*?<>|%]+/gu, '_')
    .replace(/^[._\s]+/, '')
    .trim()
  if (safe === '') return contentType.replace('/', '.')
  return safe.slice(0, MAX_NAME_CHARS).toWellFormed()
}

export type Row = Omit<Media, 'workspaceId' | 'url' | 'createdAt' | 'sha256'> & {
  workspaceId: string
  sha256: Buffer
  createdAt: Date
}

const BYTES_PER_MB = 1_000_000

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
