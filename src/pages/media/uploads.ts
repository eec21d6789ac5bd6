import { createHash } from 'node:crypto'
import { bindDeps } from '../../platform/core/bind-deps.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { countParts, inParts } from '../../platform/work/in-parts.ts'
import type { Upload } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Fragment, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Picture } from './picture-process.ts'
import type { Pictures } from './pictures.ts'
import { charge, columnsOf, toMedia, type Row } from './rows.ts'
import type { Media } from './schema.ts'

export type UploadDeps = Pick<
  Dependencies,
  'sql' | 'clock' | 'audit' | 'limit' | 'saveIdempotentResponse'
> & {
  pictures: Pick<Pictures, 'inspect'>
  toPublicUrl: (id: string) => string
}
type Deps = UploadDeps

type UploadedImage = Pick<Upload, 'bytes' | 'filename'>

/** Decodes and stores an image; the same bytes of a workspace are stored once. */
export type StoreImage = (
  principal: Principal,
  image: UploadedImage,
  signal?: AbortSignal,
) => Promise<Media>

/** Upper bound under every plan. */
const MAX_MEDIA = 10_000
const MAX_NAME_CHARS = 100

export const createUploads = (deps: UploadDeps) => bindDeps(deps, { storeImage })

/** @throws ApiError UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, PLAN_LIMIT_REACHED, RATE_LIMITED */
async function storeImage(
  deps: Deps,
  principal: Principal,
  { bytes, filename }: UploadedImage,
  signal?: AbortSignal,
): Promise<Media> {
  const sha256 = createHash('sha256').update(bytes).digest()
  // Before the image is decoded, which costs far more; both are decided again when it is stored.
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

async function store(deps: Deps, principal: Principal, file: NewFile): Promise<Media> {
  const { sql, clock, audit, saveIdempotentResponse } = deps
  const { workspaceId } = principal
  const { bytes, sha256, filename, picture } = file
  const files = [
    { kind: 'original', contentType: picture.contentType, bytes, sha256 },
    ...picture.copies,
  ]
  return inWorkspace(sql, workspaceId, async (tx) => {
    // Before the lock, which other writes of the workspace may wait for.
    for (const one of files) await sendParts(tx, one)
    // The sum of the workspace is charged in whole megabytes, so its uploads come one after the other.
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    const same = await findSame(tx, principal, sha256)
    if (same) return saveIdempotentResponse(tx, principal, toMedia(deps, same))
    await requireRoom(tx, principal)
    await charge(deps, tx, principal, bytes.length)
    const { contentType, width, height, frames } = picture
    const createdAt = new Date(clock())
    const id = newId('med', createdAt.getTime())
    await tx`
      insert into media (id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at)
      values (${id}, ${workspaceId}, ${filename}, ${contentType}, ${bytes.length}, ${width}, ${height}, ${frames},
        ${sha256}, ${createdAt})`
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
    const size = bytes.length
    const row = {
      id,
      workspaceId,
      filename,
      contentType,
      size,
      width,
      height,
      frames,
      sha256,
      createdAt,
    }
    return saveIdempotentResponse(tx, principal, toMedia(deps, { ...row, usedBy: [] }))
  })
}

type SentFile = { kind: string; bytes: Uint8Array }

/**
 * Sends a file to the database in parts, which settings of the transaction keep: one parameter with an image would take several
 * times its size at once, since the driver writes it in hexadecimal digits.
 */
async function sendParts(tx: Tx, { kind, bytes }: SentFile): Promise<void> {
  const { buffer, byteOffset, byteLength } = bytes
  let sent = 0
  for await (const part of inParts(Buffer.from(buffer, byteOffset, byteLength)))
    // The database answers with a setting that it is given, unless the statement selects something else.
    await tx`select set_config(${toPartName(kind, sent++)}, ${part.toString('base64')}, true) is null`
}

/** The expression of the bytes that were sent. */
function joinParts(tx: Tx, { kind, bytes }: SentFile): Fragment {
  return tx`(
    select decode(string_agg(current_setting(${toPartName(kind, '')} || at), '' order by at), 'base64')
    from generate_series(0, ${countParts(bytes) - 1}::int) as at)`
}

function toPartName(kind: string, at: number | ''): string {
  return `signpost.part_${kind}_${at}`
}

async function findSame(
  tx: Tx,
  { workspaceId }: Principal,
  sha256: Buffer,
): Promise<Row | undefined> {
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
      `A workspace has at most ${MAX_MEDIA} images; delete one.`,
      {
        limit: 'media',
        max: MAX_MEDIA,
        used: total,
      },
    )
}

/** A name without characters of paths and headers, with the ending of its type when it has none. */
function toSafeName(filename: string | null, { contentType }: Picture): string {
  const ending = contentType.slice('image/'.length)
  const safe = (filename ?? '')
    .normalize('NFC')
    .replace(/[\p{Cc}\p{Cf}"\\/:*?<>|%]+/gu, '_')
    .replace(/^[._\s]+/, '')
    .trim()
  if (safe === '') return `image.${ending}`
  return safe.slice(0, MAX_NAME_CHARS).toWellFormed()
}
