import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route } from '../../platform/routes/route.ts'
import { idParams } from '../../platform/resources/shapes.ts'
import { IMAGE_TYPES } from './containers.ts'
import type { MediaLibrary } from './media.ts'
import { DeleteMedia, ListMedia, MAX_FILE_BYTES, Media, MediaMeta } from './schema.ts'

const Params = idParams('med', 'image')
const reads = { requires: { credential: 'any', role: 'viewer', scope: 'media:read' } } as const
const writes = { requires: { credential: 'any', role: 'member', scope: 'media:write' } } as const
const tag = 'Media'
/** Of the form around the file. */
const FORM_BYTES = 64 * 1024
/** Uploads wait for each other. */
const TIMEOUT_MS = TIMES.fileRequest.ms
/** The last one is for clients that do not know the type of a file. */
const FILE_TYPES = [...IMAGE_TYPES, 'application/octet-stream']

export const mediaRoutes = (media: MediaLibrary) => [
  route('POST /media', {
    ...writes,
    accepts: { raw: FILE_TYPES, multipart: true },
    limits: { bodyBytes: MAX_FILE_BYTES + FORM_BYTES, timeoutMs: TIMEOUT_MS },
    idempotent: true,
    status: 201,
    name: 'uploadMedia',
    summary: 'Upload an image',
    description:
      'Stores a PNG, JPEG, GIF, WebP or AVIF image of at most 5 MiB, 25 megapixels and 100 frames. The same bytes are stored once: uploading them again answers with the image that is there.',
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'PLAN_LIMIT_REACHED'],
    tag,
    shapes: { reply: Media },
    handle: (principal, { body }, signal) => media.upload(principal, body, signal),
  }),
  route('GET /media', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listMedia',
    summary: 'List images',
    description: 'Pages through the images of the workspace, newest first.',
    tag,
    shapes: { query: ListMedia, reply: Type.Array(Media), meta: MediaMeta },
    handle: (principal, { query }, signal) => media.list(principal, query, signal),
  }),
  route('GET /media/:id', {
    ...reads,
    name: 'getMedia',
    summary: 'Read an image',
    description: 'Returns what is known of one image, and what shows it.',
    tag,
    shapes: { params: Params, reply: Media },
    find: media.find,
    handle: (principal, { params }) => media.get(principal, params.id),
  }),
  route('GET /media/:id/content', {
    ...reads,
    sends: IMAGE_TYPES,
    name: 'getMediaContent',
    summary: 'Read the bytes of an image',
    description:
      'Sends the file as it was uploaded, byte for byte, or the part that `Range` names.',
    errors: ['RANGE_NOT_SATISFIABLE'],
    tag,
    shapes: { params: Params },
    find: media.find,
    handle: (principal, { params }) => media.read(principal, params.id),
  }),
  route('DELETE /media/:id', {
    ...writes,
    status: 204,
    name: 'deleteMedia',
    summary: 'Delete an image',
    description: 'Deletes an image that nothing shows, or with `force` any.',
    errors: ['CONFLICT'],
    tag,
    shapes: { params: Params, query: DeleteMedia },
    find: media.find,
    handle: (principal, { params, query }) => media.remove(principal, params.id, query),
  }),
]
