import { createHash } from 'node:crypto'
import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError } from '../../base/errors.ts'
import { newId } from '../../base/ids.ts'
import { inParts } from '../../base/in-parts.ts'
import { page, type Sent, type Upload } from '../../base/route.ts'
import type { Who } from '../../base/who.ts'
import { retryDeadlocks } from '../../storage/deadlocks.ts'
import { inWorkspace, type Fragment, type Tx } from '../../storage/postgres.ts'
import type { Dependencies } from '../dependencies.ts'
import { requireOwn } from '../own.ts'
import { clampLimit } from '../shapes.ts'
import type { Picture } from './picture-process.ts'
import type { Pictures } from './pictures.ts'
import {
  MAX_FILE_BYTES,
  type DeleteMedia,
  type ListMedia,
  type Media,
  type MediaUse,
} from './schema.ts'

type Deps = Pick<Dependencies, 'sql' | 'reads' | 'clock' | 'audit' | 'limit' | 'keepAnswer'> & {
  pictures: Pictures
  /** Takes an image off what shows it, in a transaction that runs in `retryDeadlocks`. */
  dropFrom: Readonly<Record<MediaUse['type'], DropImage>>
  /** The public address of an image on the shared host. */
  toPublicUrl: (id: string) => string
}

type DropImage = (tx: Tx, who: Who, id: string, usedBy: readonly string[]) => Promise<void>

type Row = Omit<Media, 'workspaceId' | 'url' | 'createdAt' | 'sha256'> & {
  workspaceId: string
  sha256: Buffer
  createdAt: Date
}

export type MediaLibrary = ReturnType<typeof createMedia>

/** Upper bound under every plan. */
const MAX_MEDIA = 10_000
/** Links and pages that one request changes, as many as one of the bulk routes. */
const MAX_DROPPED = 1_000
const BYTES_PER_MB = 1_000_000
const SHOWN_USES = 20
/** Of a file, read at a time. */
const PART_BYTES = 512 * 1024
const MAX_NAME_CHARS = 100

/** The images of a workspace. The same bytes are one image, however often they are uploaded. */
export const createMedia = (deps: Deps) =>
  bindDeps(deps, { find, get, list, upload, read, readLogo, remove })

function find({ sql }: Deps, who: Who, params: Record<string, string>): Promise<void> {
  return requireOwn(sql, who, 'media', params['id'], 'image')
}

async function get(deps: Deps, who: Who, id: string): Promise<Media> {
  return inWorkspace(deps.sql, who.workspaceId, async (tx) =>
    toMedia(deps, await load(tx, who, id)),
  )
}

async function list(deps: Deps, who: Who, query: ListMedia, signal?: AbortSignal) {
  const { workspaceId } = who
  const limit = clampLimit(query.limit)
  const { offset } = query
  const [rows, counted] = await deps.reads.read(who, signal, (tx) => {
    const where = tx`
      workspace_id = ${workspaceId}
      ${query.search ? tx`and strpos(lower(filename), ${query.search.toLowerCase()}) > 0` : tx``}`
    return Promise.all([
      tx<Row[]>`
        select ${columnsOf(tx)} from media where ${where}
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
      tx<[{ total: number; usedBytes: number }]>`
        select (select count(*) from media where ${where}) as total,
          (select coalesce(sum(size), 0)::bigint from media where workspace_id = ${workspaceId}) as used_bytes`,
    ])
  })
  const media = rows.map((row) => toMedia(deps, row))
  return page(media, { ...counted[0], limit, offset })
}

/** @throws ApiError PAYLOAD_TOO_LARGE, UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR, PLAN_LIMIT_REACHED */
async function upload(
  deps: Deps,
  who: Who,
  { bytes, filename }: Pick<Upload, 'bytes' | 'filename'>,
  signal?: AbortSignal,
): Promise<Media> {
  if (bytes.length > MAX_FILE_BYTES)
    throw new ApiError('PAYLOAD_TOO_LARGE', 'The file is larger than 5 MiB.', [
      { path: 'file', message: 'The file is larger than 5 MiB.', code: 'too_large' },
    ])
  const sha256 = await digest(bytes)
  // Before the image is decoded, which costs far more; both are decided again when it is stored.
  const known = await inWorkspace(deps.sql, who.workspaceId, async (tx) => {
    const same = await findSame(tx, who, sha256)
    if (!same) await requireRoom(tx, who)
    return same ? deps.keepAnswer(tx, who, toMedia(deps, same)) : null
  })
  if (known) return known
  const picture = await deps.pictures.inspect(who, bytes, signal)
  return store(deps, who, { bytes, sha256, filename: toSafeName(filename, picture), picture })
}

type NewFile = { bytes: Buffer; sha256: Buffer; filename: string; picture: Picture }

async function store(deps: Deps, who: Who, file: NewFile): Promise<Media> {
  const { sql, clock, audit, keepAnswer } = deps
  const { workspaceId } = who
  const { bytes, sha256, filename, picture } = file
  return inWorkspace(sql, workspaceId, async (tx) => {
    // The sum of the workspace is charged in whole megabytes, so its uploads come one after the other.
    await tx`select from workspaces where id = ${workspaceId} for no key update`
    const same = await findSame(tx, who, sha256)
    if (same) return keepAnswer(tx, who, toMedia(deps, same))
    await requireRoom(tx, who)
    await charge(deps, tx, who, bytes.length)
    const { contentType, width, height, frames, copies } = picture
    const createdAt = new Date(clock())
    const id = newId('med', createdAt.getTime())
    await tx`
      insert into media (id, workspace_id, filename, content_type, size, width, height, frames, sha256, created_at)
      values (${id}, ${workspaceId}, ${filename}, ${contentType}, ${bytes.length}, ${width}, ${height}, ${frames},
        ${sha256}, ${createdAt})`
    const files = [{ kind: 'original', contentType, bytes, sha256 }, ...copies]
    for (const one of files) {
      const sent = await sendParts(tx, one.bytes)
      await tx`
        insert into media_files (media_id, workspace_id, kind, content_type, sha256, bytes)
        values (${id}, ${workspaceId}, ${one.kind}, ${one.contentType}, ${Buffer.from(one.sha256)},
          ${joinParts(tx, sent)})`
    }
    const changes = { filename: { old: null, new: filename } }
    await audit(tx, who, {
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
    return keepAnswer(tx, who, toMedia(deps, { ...row, usedBy: [] }))
  })
}

async function digest(bytes: Buffer): Promise<Buffer> {
  const hash = createHash('sha256')
  for await (const part of inParts(bytes)) hash.update(part)
  return hash.digest()
}

/**
 * Sends bytes to the database in parts, which settings of the transaction keep: one parameter with an image would be written in
 * a single step of the event loop, and in hexadecimal digits.
 * @returns the number of parts, which {@link joinParts} takes
 */
async function sendParts(tx: Tx, { buffer, byteOffset, byteLength }: Uint8Array): Promise<number> {
  let sent = 0
  for await (const part of inParts(Buffer.from(buffer, byteOffset, byteLength)))
    await tx`select set_config(${`signpost.part_${sent++}`}, ${part.toString('base64')}, true)`
  return sent
}

/** The expression of bytes that were sent. */
function joinParts(tx: Tx, sent: number): Fragment {
  return tx`(
    select decode(string_agg(current_setting('signpost.part_' || at), '' order by at), 'base64')
    from generate_series(0, ${sent - 1}::int) as at)`
}

/** The file as it was uploaded. Its bytes are read while they are sent, so that slow readers hold little of it. */
async function read(deps: Deps, who: Who, id: string): Promise<Sent> {
  const { filename, contentType, size, sha256 } = await inWorkspace(
    deps.sql,
    who.workspaceId,
    (tx) => load(tx, who, id),
  )
  return {
    contentType,
    body: { size, read: (from, to) => readParts(deps, who, id, { from, to }) },
    filename,
    isInline: true,
    isImmutable: true,
    etag: sha256.toString('hex'),
  }
}

type Part = { from: number; to: number }

async function* readParts({ sql }: Deps, { workspaceId }: Who, id: string, { from, to }: Part) {
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

/** @throws ApiError CONFLICT for an image in use, unless `force` */
async function remove(deps: Deps, who: Who, id: string, { force }: DeleteMedia): Promise<void> {
  const { workspaceId } = who
  await retryDeadlocks(() =>
    inWorkspace(deps.sql, workspaceId, async (tx) => {
      await tx`select from workspaces where id = ${workspaceId} for no key update`
      // What begins to show the image waits for the lock, and finds it gone.
      await tx`select from media where id = ${id} and workspace_id = ${workspaceId} for update`
      const media = await load(tx, who, id)
      if (media.usedBy.length > 0) {
        if (!force) throw inUse(media.usedBy)
        await drop(deps, tx, who, id)
      }
      await charge(deps, tx, who, -media.size)
      await tx`delete from media where id = ${id} and workspace_id = ${workspaceId}`
      const { filename } = media
      const changes = { filename: { old: filename, new: null } }
      await deps.audit(tx, who, {
        action: 'media.deleted',
        target: { type: 'media', id, name: filename },
        changes,
      })
    }),
  )
}

/** Takes an image off everything that shows it. */
async function drop({ dropFrom }: Deps, tx: Tx, who: Who, id: string): Promise<void> {
  const uses = await tx<{ type: MediaUse['type']; usedBy: string }[]>`
    select type, used_by from media_uses
    where media_id = ${id} and workspace_id = ${who.workspaceId}
    order by used_by limit ${MAX_DROPPED + 1}`
  if (uses.length > MAX_DROPPED) {
    const message = `A request takes an image off ${MAX_DROPPED} links and pages at most; change others first, many at a time.`
    throw new ApiError('CONFLICT', message, [{ path: 'force', message, code: 'in_use' }])
  }
  for (const type of ['link', 'bio_page'] as const) {
    const ids = uses.flatMap((use) => (use.type === type ? use.usedBy : []))
    if (ids.length > 0) await dropFrom[type](tx, who, id, ids)
  }
}

/** The copy that QR codes show; null for an image that is gone. Of an animation it is the first frame. */
async function readLogo({ sql }: Deps, { workspaceId }: Who, id: string): Promise<Buffer | null> {
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

/** Charges the change of the workspace's sum, each rounded up, so that many small images cost what they take. */
async function charge({ limit }: Deps, tx: Tx, { workspaceId }: Who, bytes: number): Promise<void> {
  const [{ sum }] = await tx<[{ sum: number }]>`
    select coalesce(sum(size), 0)::bigint as sum from media where workspace_id = ${workspaceId}`
  const amount = toMegabytes(sum + bytes) - toMegabytes(sum)
  if (amount !== 0) await limit(tx, workspaceId, 'media_storage_mb', amount)
}

function toMegabytes(bytes: number): number {
  return Math.ceil(bytes / BYTES_PER_MB)
}

async function findSame(tx: Tx, { workspaceId }: Who, sha256: Buffer): Promise<Row | undefined> {
  const [row] = await tx<Row[]>`
    select ${columnsOf(tx)} from media where workspace_id = ${workspaceId} and sha256 = ${sha256}`
  return row
}

async function requireRoom(tx: Tx, { workspaceId }: Who): Promise<void> {
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

async function load(tx: Tx, { workspaceId }: Who, id: string): Promise<Row> {
  const [row] = await tx<Row[]>`
    select ${columnsOf(tx)} from media where id = ${id} and workspace_id = ${workspaceId}`
  if (!row) throw noSuchMedia()
  return row
}

function columnsOf(tx: Tx) {
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

function toMedia({ toPublicUrl }: Deps, { sha256, createdAt, ...row }: Row): Media {
  return {
    ...row,
    sha256: sha256.toString('hex'),
    url: toPublicUrl(row.id),
    createdAt: createdAt.toISOString(),
  }
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

function inUse(usedBy: readonly MediaUse[]): ApiError {
  const names = usedBy.slice(0, 3).map(({ name }) => `"${name}"`)
  const more = usedBy.length > names.length ? ' and others' : ''
  return new ApiError('CONFLICT', `The image is in use by ${names.join(', ')}${more}.`, [
    {
      path: 'id',
      message: 'The image is in use; force=true deletes it all the same.',
      code: 'in_use',
    },
  ])
}

function noSuchMedia(): ApiError {
  return new ApiError('NOT_FOUND', 'This image does not exist.')
}
