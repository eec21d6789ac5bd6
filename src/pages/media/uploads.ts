import { createHash } from 'node:crypto'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { countParts, inParts } from '../../platform/work/file-process.ts'
import type { Upload } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Fragment, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { Picture } from './picture-process.ts'
import type { Pictures } from './pictures.ts'
import { charge, columnsOf, toMedia, type Row } from './rows.ts'
import type { Media } from './schema.ts'

export type UploadDeps = LinkDeps & { pictures: Pick<Pictures, 'inspect'> }

const MAX_MEDIA = 10_000
const MAX_NAME_CHARS = 100

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
    if (!same) await requireRoom(tx, principal)
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
    // Sent before the lock, for which other writes of the workspace may wait.
    for (const one of files) await sendParts(tx, one)
    // Uploads of a workspace are serialized, since their sum is charged in whole megabytes.
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    const same = await findSame(tx, principal, sha256)
    if (same) return saveIdempotentResponse(tx, principal, toMedia(deps, same))
    await requireRoom(tx, principal)
    await charge(deps, tx, principal, bytes.length)
    const { copies: _copies, ...facts } = picture
    const createdAt = new Date(clock())
    const id = newId('med', createdAt.getTime())
    const row = { filename, ...facts, size: bytes.length, sha256, createdAt }
    await tx`insert into media ${tx({ id, workspaceId, ...row })}`
    for (const one of files)
      await tx`
        insert into media_files (media_id, workspace_id, kind, content_type, sha256, bytes)
        values (${id}, ${workspaceId}, ${one.kind}, ${one.contentType}, ${Buffer.from(one.sha256)},
          ${joinParts(tx, one)})`
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

type SentFile = { kind: string; bytes: Uint8Array }

/**
 * Sends a file to the database in parts, stored in settings of the transaction: as one parameter, it would take
 * several times its size in memory, since the driver writes hexadecimal digits.
 * /
 */
async function sendParts(tx: Tx, { kind, bytes }: SentFile): Promise<void> {
  const { buffer, byteOffset, byteLength } = bytes
  let sent = 0
  for await (const part of inParts(Buffer.from(buffer, byteOffset, byteLength)))
    // `is null`, so that the database does not send the setting back.
    await tx`select set_config(${toPartName(kind, sent++)}, ${part.toString('base64')}, true) is null`
}

function joinParts(tx: Tx, { kind, bytes }: SentFile): Fragment {
  return tx`(
    select decode(string_agg(current_setting(${toPartName(kind, '')} || at), '' order by at), 'base64')
    from generate_series(0, ${countParts(bytes) - 1}::int) as at)`
}

function toPartName(kind: string, at: number | ''): string {
  return `signpost.part_${kind}_${at}`
}

async function findSame(tx: Tx, { workspaceId }: Principal, sha256: Buffer) {
  const [row] = await tx<Row[]>`
    select ${columnsOf(tx)} from media where workspace_id = ${workspaceId} and sha256 = ${sha256}`
  return row
}

async function requireRoom(tx: Tx, { workspaceId }: Principal): Promise<void> {
  const [{ total }] = await tx<[{ total: number }]>`
    select count(*) as total from media where workspace_id = ${workspaceId}`
  if (total >= MAX_MEDIA)
    throw new ApiError(
      'PLAN_LIMIT_REACHED',
      `A workspace has at most ${MAX_MEDIA} images; delete one first.`,
      { limit: 'media', max: MAX_MEDIA, used: total },
    )
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
