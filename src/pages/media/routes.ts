import { TIMES } from '../../platform/limits/times.ts'
import { Type } from 'typebox'
import { route, scopedTo } from '../../platform/routes/route.ts'
import { idParams } from '../../platform/resources/shapes.ts'
import { IMAGE_TYPES } from './containers.ts'
import type { MediaLibrary } from './media.ts'
import { DeleteMedia, ListMedia, MAX_FILE_BYTES, Media, MediaMeta } from './schema.ts'

const Params = idParams('med', 'image')
const tag = 'Media'
const { reads, writes } = scopedTo('media', tag)
/** Room for the form around the file. */
const FORM_BYTES = 64 * 1024
/** The last type is for clients that do not know the type of a file. */
const FILE_TYPES = [...IMAGE_TYPES, 'application/octet-stream']

export const mediaRoutes = (media: MediaLibrary) => [
  route('POST /media', {
    ...writes,
    accepts: { raw: FILE_TYPES, multipart: true },
    limits: { bodyBytes: MAX_FILE_BYTES + FORM_BYTES, timeoutMs: TIMES.fileRequest.ms },
    idempotent: true,
    status: 201,
    name: 'uploadMedia',
    summary: 'Upload an image',
    description:
      'Stores a PNG, JPEG, GIF, WebP or AVIF image of at most 5 MiB, 25 megapixels and 100 frames. The same bytes are stored once: uploading them again returns the existing image.',
    errors: ['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'PLAN_LIMIT_REACHED'],
    shapes: { reply: Media },
    handle: (principal, { body }, signal) => media.upload(principal, body, signal),
  }),
  route('GET /media', {
    ...reads,
    skipConcurrencyLimit: true,
    name: 'listMedia',
    summary: 'List images',
    description: 'Pages through the images of the workspace, newest first.',
    shapes: { query: ListMedia, reply: Type.Array(Media), meta: MediaMeta },
    handle: (principal, { query }, signal) => media.list(principal, query, signal),
  }),
  route('GET /media/:id', {
    ...reads,
    name: 'getMedia',
    summary: 'Read an image',
    description: 'Returns one image and what shows it.',
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
    shapes: { params: Params },
    find: media.find,
    handle: (principal, { params }) => media.read(principal, params.id),
  }),
  route('DELETE /media/:id', {
    ...writes,
    status: 204,
    name: 'deleteMedia',
    summary: 'Delete an image',
    description: 'Deletes an image that nothing shows; with `force`, any image.',
    errors: ['CONFLICT'],
    shapes: { params: Params, query: DeleteMedia },
    find: media.find,
    handle: (principal, { params, query }) => media.remove(principal, params.id, query),
  }),
]
