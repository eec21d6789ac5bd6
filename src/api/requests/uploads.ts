import { Busboy } from '@fastify/busboy'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuseBadText } from '../../platform/routes/text-checks.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import {
  getUploadKinds,
  type Route,
  type Upload,
  type UploadKinds,
} from '../../platform/routes/route.ts'
import { digestBody } from '../border/forwarded-identity.ts'
import { toValidator } from './validation.ts'

/** The body limit of the route bounds the file. */
const MAX_FIELDS = 20
const MAX_FIELD_BYTES = 16 * 1024
const MAX_NAME_CHARS = 100
const MAX_FILENAME_CHARS = 255
const MAX_PART_HEADERS = 16
const MAX_PART_HEADER_BYTES = 4 * 1024

const MULTIPART = 'multipart/form-data'
const MEDIA_TYPE = /^[a-z0-9!#$&^_.+-]+\/[a-z0-9!#$&^_.+-]+$/

declare module 'fastify' {
  interface FastifyContextConfig {
    upload?: UploadReader
  }
}

type UploadReader = NonNullable<ReturnType<typeof createUploadReader>>

export function createUploadReader(route: Pick<Route, 'accepts' | 'shapes'>) {
  const kinds = getUploadKinds(route)
  if (!kinds) return null
  const types = listMediaTypes(kinds)
  const check = route.shapes.fields && toValidator(route.shapes.fields)
  const part = kinds.file ?? 'file'
  return {
    /** @throws ApiError UNSUPPORTED_MEDIA_TYPE, VALIDATION_ERROR */
    checkType({ headers }: Pick<FastifyRequest, 'headers'>): void {
      const contentType = headers['content-type']
      if (contentType === undefined || !types.includes(toMediaType(contentType)))
        throw new ApiError('UNSUPPORTED_MEDIA_TYPE', `The body must be ${types.join(' or ')}.`)
      if ((headers['content-encoding'] ?? 'identity') !== 'identity')
        throw new ApiError(
          'UNSUPPORTED_MEDIA_TYPE',
          'A compressed body is not supported. Send it without Content-Encoding.',
        )
      if (toMediaType(contentType) === MULTIPART) return
      const charset = /charset\s*=\s*"?([^";\s]*)/i.exec(contentType)?.[1] ?? 'utf-8'
      if (!/^(utf-?8|us-ascii)$/i.test(charset))
        throw invalid('', `The body must be UTF-8, not ${charset.slice(0, 40)}.`, 'charset')
    },
    async read({ headers }: Pick<FastifyRequest, 'headers'>, body: Buffer): Promise<Upload> {
      const contentType = headers['content-type'] ?? ''
      const mediaType = toMediaType(contentType)
      const upload =
        mediaType === MULTIPART
          ? await parseMultipart(body, contentType, part)
          : { contentType: mediaType, filename: null, fields: {}, bytes: body }
      return check ? { ...upload, fields: check({ ...upload.fields }) as Upload['fields'] } : upload
    },
    missing: () =>
      invalid(
        kinds.multipart ? part : '',
        `There is no file. Send it ${toPlaces(kinds, part)}.`,
        'required',
      ),
  }
}

function toPlaces({ raw, multipart }: UploadKinds, part: string): string {
  const places = [
    ...(raw ? ['as the body'] : []),
    ...(multipart ? [`as the part ${part} of a form`] : []),
  ]
  return places.join(' or ')
}

function listMediaTypes({ raw = [], multipart }: UploadKinds): string[] {
  return [...raw, ...(multipart ? [MULTIPART] : [])]
}

/** Repeating a form with another boundary changes its bytes but not the request. */
export function digestUpload({ contentType, filename, fields, bytes }: Upload): string {
  const sorted = Object.entries(fields).toSorted(([a], [b]) => (a < b ? -1 : 1))
  const parts = [contentType, filename, sorted, digestBody(bytes)]
  return digestBody(Buffer.from(JSON.stringify(parts)))!
}

/** `text/csv` of `Text/CSV; charset=utf-8`. */
function toMediaType(contentType: string): string {
  return contentType.split(';')[0]!.trim().toLowerCase()
}

/** For programs that send the fields of a form in parts, as curl and PHP do. */
export function readMultipartForms(app: FastifyInstance): void {
  app.addContentTypeParser(
    /^multipart\/form-data\s*;/i,
    { parseAs: 'buffer' },
    async ({ headers }: FastifyRequest, body: Buffer) => {
      const { file, fields } = await readParts(body, headers['content-type'] ?? '', '')
      if (file) throw invalid('', 'The form must hold no file.', 'malformed')
      return Object.fromEntries(fields)
    },
  )
}

type Parts = { file: Upload | null; fields: Map<string, string> }

/** A malformed form is refused as a whole. @throws ApiError VALIDATION_ERROR */
async function parseMultipart(body: Buffer, contentType: string, part: string): Promise<Upload> {
  const { file, fields } = await readParts(body, contentType, part)
  if (!file) throw invalid(part, `The form has no part ${part} with a file.`, 'required')
  return { ...file, fields: Object.fromEntries(fields) }
}

function readParts(body: Buffer, contentType: string, part: string): Promise<Parts> {
  return new Promise((resolve, reject) => {
    const found: Parts = { file: null, fields: new Map() }
    const form = openForm(contentType, body.length)
    const refuse = (message: string, path = '') => reject(invalid(path, message, 'malformed'))
    form.on('file', (name, stream, filename, _encoding, mimeType) => {
      const chunks: Buffer[] = []
      stream.on('error', () => refuse('The form ends before its file is complete.'))
      stream.on('data', (chunk: Buffer) => void chunks.push(chunk))
      stream.on('end', () => {
        const bytes = Buffer.concat(chunks)
        found.file = { contentType: cleanType(mimeType), filename: null, fields: {}, bytes }
        if (name !== part) refuse(`The file must be in the part ${part}.`, part)
        else if (filename) found.file.filename = filename.slice(0, MAX_FILENAME_CHARS)
      })
    })
    form.on('field', (name, value, _isNameCut, isValueCut) => {
      if (name === part)
        return refuse(
          `The part ${part} has no file name, so it is not a file. Send it with a file name.`,
          part,
        )
      try {
        keepField(found.fields, name, value, isValueCut)
      } catch (error) {
        reject(error as Error)
      }
    })
    form.on('filesLimit', () => refuse('The form has more than one file.', part))
    form.on('fieldsLimit', () => refuse(`The form has more than ${MAX_FIELDS} fields.`))
    form.on('partsLimit', () => refuse('The form has too many parts.'))
    form.on('error', () => refuse('The form is not valid multipart/form-data, or ends too early.'))
    form.on('finish', () => resolve(found))
    form.end(body)
  })
}

function openForm(contentType: string, bytes: number) {
  try {
    return new Busboy({
      headers: { 'content-type': contentType },
      fileHwm: Math.max(bytes, 1),
      limits: {
        files: 1,
        fileSize: bytes,
        fields: MAX_FIELDS,
        fieldSize: MAX_FIELD_BYTES,
        parts: MAX_FIELDS + 2,
        headerPairs: MAX_PART_HEADERS,
        headerSize: MAX_PART_HEADER_BYTES,
      },
    })
  } catch {
    throw invalid('', 'The content type multipart/form-data must name its boundary.', 'malformed')
  }
}

function keepField(
  fields: Map<string, string>,
  name: string | undefined,
  value: string,
  isCut: boolean,
): void {
  if (name === undefined || name === '' || name.length > MAX_NAME_CHARS || name === '__proto__')
    throw invalid('', 'The form has a field without a valid name.', 'malformed')
  refuseBadText(name, '')
  if (fields.has(name)) throw invalid(name, `The form has the field ${name} twice.`, 'malformed')
  if (isCut)
    throw invalid(name, `The field ${name} is longer than ${MAX_FIELD_BYTES} bytes.`, 'malformed')
  refuseBadText(value, name)
  fields.set(name, value)
}

function cleanType(mimeType: string): string {
  return MEDIA_TYPE.test(mimeType) ? mimeType : 'application/octet-stream'
}
