import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { page, type Sent, type Upload } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { ownTable } from '../../platform/resources/ownership.ts'
import { clampLimit } from '../../platform/resources/shapes.ts'
import { dropLogo } from '../../accounts/workspaces/workspaces.ts'
import { dropImage } from '../../links/write/change.ts'
import { dropImageOfPages } from '../bio-pages/references.ts'
import { charge, COLUMNS, storeImage, toMedia, type Row, type UploadDeps } from './uploads.ts'
import {
  MAX_FILE_BYTES,
  type DeleteMedia,
  type ListMedia,
  type Media,
  type MediaUse,
} from './schema.ts'

export type MediaLibrary = ReturnType<typeof createMedia>

const MAX_DROPPED = 1_000
const PART_BYTES = 512 * 1024

const { find, load } = ownTable<Row>('media', 'image', COLUMNS)

export const createMedia = (deps: UploadDeps) =>
  bindDeps(deps, { find, get, list, upload, read, readLogo, remove })

async function get(deps: UploadDeps, principal: Principal, id: string): Promise<Media> {
  return inWorkspace(deps.sql, principal.workspaceId, async (tx) =>
    toMedia(deps, await load(tx, principal, id)),
  )
}

async function list(
  deps: UploadDeps,
  principal: Principal,
  query: ListMedia,
  signal?: AbortSignal,
) {
  const { workspaceId } = principal
  const limit = clampLimit(query.limit)
  const { offset } = query
  const [rows, counted] = await deps.reads.read(principal, signal, (tx) => {
    const where = tx`
      workspace_id = ${workspaceId}
      ${query.search ? tx`and strpos(lower(filename), ${query.search.toLowerCase()}) > 0` : tx``}`
    return Promise.all([
      tx<Row[]>`
        select ${tx.unsafe(COLUMNS)} from media where ${where}
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
      tx<[{ total: number; usedBytes: number }]>`
        select (select count(*) from media where ${where}) as total,
          (select coalesce(sum(size), 0)::bigint from media where workspace_id = ${workspaceId}) as used_bytes`,
    ])
  })
  const media = rows.map((row) => toMedia(deps, row))
  return page(media, { ...counted[0], limit, offset })
}

async function upload(
  deps: UploadDeps,
  principal: Principal,
  { bytes, filename }: Pick<Upload, 'bytes' | 'filename'>,
  signal?: AbortSignal,
): Promise<Media> {
  if (bytes.length === 0) throw invalid('file', 'The file is empty.', 'required')
  if (bytes.length > MAX_FILE_BYTES)
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The file is larger than 5 MiB.', [
      { path: 'file', message: 'The file is larger than 5 MiB.', code: 'too_large' },
    ])
  return storeImage(deps, principal, { bytes, filename }, signal)
}

/** The original file. Its bytes are read while they are sent, so that slow readers use little memory. */
async function read(deps: UploadDeps, principal: Principal, id: string): Promise<Sent> {
  const row = await inWorkspace(deps.sql, principal.workspaceId, (tx) => load(tx, principal, id))
  const { filename, contentType, size, sha256 } = row
  return {
    contentType,
    body: { size, read: (from, to) => readParts(deps, principal, id, from, to) },
    filename,
    isInline: true,
    isImmutable: true,
    etag: sha256.toString('hex'),
  }
}

async function* readParts(
  { sql }: UploadDeps,
  { workspaceId }: Principal,
  id: string,
  from: number,
  to: number,
) {
  for (let at = from; at < to; at += PART_BYTES) {
    const length = Math.min(PART_BYTES, to - at)
    const [row] = await inWorkspace(
      sql,
      workspaceId,
      (tx) => tx<{ bytes: Buffer }[]>`
        select substring(bytes from ${at + 1} for ${length}) as bytes from media_files
        where media_id = ${id} and workspace_id = ${workspaceId} and kind = 'original'`,
    )
    if (!row) throw new Error(`the image ${id} was deleted while it was sent`)
    yield row.bytes
  }
}

async function remove(deps: UploadDeps, principal: Principal, id: string, { force }: DeleteMedia) {
  const { workspaceId } = principal
  await inWorkspace(deps.sql, workspaceId, async (tx) => {
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    // A request that adds the image to a link or page waits for this lock, and finds it gone.
    await tx`select from media where id = ${id} and workspace_id = ${workspaceId} for update`
    const media = await load(tx, principal, id)
    if (media.usedBy.length > 0) {
      if (!force) throw inUse(media.usedBy)
      await drop(deps, tx, principal, id)
    }
    await charge(deps, tx, principal, -media.size)
    await tx`delete from media where id = ${id} and workspace_id = ${workspaceId}`
    const { filename } = media
    await deps.audit(tx, principal, {
      action: 'media.deleted',
      target: { type: 'media', id, name: filename },
      changes: { filename: { old: filename, new: null } },
    })
  })
}

async function drop(deps: UploadDeps, tx: Tx, principal: Principal, id: string): Promise<void> {
  const uses = await tx<{ type: MediaUse['type']; usedBy: string }[]>`
    select type, used_by from media_uses
    where media_id = ${id} and workspace_id = ${principal.workspaceId}
    order by used_by limit ${MAX_DROPPED + 1}`
  if (uses.length > MAX_DROPPED) {
    const message = `A request removes an image from at most ${MAX_DROPPED} links and pages; remove it from some of them in bulk first.`
    throw new ApiError('CONFLICT', message, [{ path: 'force', message, code: 'in_use' }])
  }
  const usersOf = (type: MediaUse['type']) =>
    uses.flatMap((use) => (use.type === type ? use.usedBy : []))
  const [links, pages] = [usersOf('link'), usersOf('bio_page')]
  if (links.length > 0) await dropImage(deps, tx, principal, id, links)
  if (pages.length > 0) await dropImageOfPages(deps, tx, principal, id, pages)
  if (usersOf('workspace').length > 0) await dropLogo(deps, tx, principal)
}

/** The copy for QR codes, of an animation its first frame; null for a deleted image. */
async function readLogo({ sql }: UploadDeps, { workspaceId }: Principal, id: string) {
  const [row] = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ bytes: Buffer }[]>`
      select f.bytes from media m join media_files f on f.media_id = m.id and f.workspace_id = m.workspace_id
      where m.id = ${id} and m.workspace_id = ${workspaceId}
        and f.kind = case when m.frames = 1 then 'wide' else 'small' end`,
  )
  return row?.bytes ?? null
}

function inUse(usedBy: readonly MediaUse[]): ApiError {
  const names = usedBy.slice(0, 3).map(({ name }) => `"${name}"`)
  const more = usedBy.length > names.length ? ' and others' : ''
  return new ApiError('CONFLICT', `The image is in use by ${names.join(', ')}${more}.`, [
    { path: 'id', message: 'The image is in use; force=true deletes it anyway.', code: 'in_use' },
  ])
}
