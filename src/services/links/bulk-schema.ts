import { Type, type Static, type TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../base/errors.ts'
import { described, documented, named } from '../../base/shape.ts'
import { idInput, idShape, integer, nullable, oneOf, text } from '../shapes.ts'
import { CreateLink, EXTERNAL_ID_MAX_CHARS, UpdateLink } from './schema.ts'

const MAX_ROWS = 1_000

/** A list whose entries the rule checks one by one, so that each fails alone. */
function rowsOf(entry: TSchema, description: string, ...examples: readonly unknown[]) {
  const list = Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_ROWS })
  return documented(described(list, description, ...examples), { items: entry })
}

const newLinks = rowsOf(CreateLink, `The links, at most ${MAX_ROWS}.`, [
  { name: 'Spring sale', destinationUrl: 'https://example.com/spring' },
])

/** The links in a field, or as the body itself. */
export const CreateLinks = named(
  'CreateLinks',
  documented(
    Type.Unsafe<{ links: unknown[] } | unknown[]>({
      type: ['object', 'array'],
      properties: { links: newLinks },
      required: ['links'],
      minItems: 1,
      maxItems: MAX_ROWS,
    }),
    { items: CreateLink },
  ),
)
export type CreateLinks = Static<typeof CreateLinks>

const names = {
  ids: Type.Optional(
    described(
      Type.Array(idInput('lnk', 'Id of a link.'), { minItems: 1, maxItems: MAX_ROWS }),
      `The links by their ids, at most ${MAX_ROWS}.`,
      ['lnk_01ARZ3NDEKTSV4RRFFQ69G5FAV'],
    ),
  ),
  externalIds: Type.Optional(
    described(
      Type.Array(Type.String({ minLength: 1, maxLength: EXTERNAL_ID_MAX_CHARS }), {
        minItems: 1,
        maxItems: MAX_ROWS,
      }),
      `The links by their \`externalId\`, instead of \`ids\`; at most ${MAX_ROWS}.`,
      ['crm-4711'],
    ),
  ),
}

export const UpdateLinks = named(
  'UpdateLinks',
  Type.Object({
    ...names,
    data: described(UpdateLink, 'The fields to change, the same for all links.', {
      tags: ['newsletter'],
    }),
  }),
)
export type UpdateLinks = Static<typeof UpdateLinks>

export const DeleteLinks = named('DeleteLinks', Type.Object(names))
export type DeleteLinks = Static<typeof DeleteLinks>

const RowError = named(
  'BulkRowError',
  Type.Object({
    code: described(
      Type.String({ enum: Object.keys(ERRORS) as ErrorCode[] }),
      'The code that the single request would have.',
      'CONFLICT',
    ),
    message: text('What is wrong with the row.', 'This slug is taken.'),
    details: described(Type.Unknown(), 'As in every error, with paths of the whole request.', [
      { path: 'links.7.slug', message: 'This slug is taken.', code: 'taken' },
    ]),
  }),
)

const STATUSES = ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const

export const BulkRow = named(
  'BulkRow',
  Type.Object({
    index: integer('The place of the row in the request, from 0.', 0),
    id: nullable(idShape('lnk', 'Id of the link; null when the row failed and named none.')),
    status: oneOf(STATUSES, 'What became of the row.', 'created'),
    externalId: nullable(text('Its `externalId`.', 'crm-4711')),
    shortUrl: nullable(text('Its short URL.', 'https://links.example.com/spring-sale')),
    error: nullable(described(RowError, 'Why the row failed; null otherwise.')),
  }),
)

export const BulkMeta = named(
  'BulkMeta',
  Type.Object({
    total: integer('Rows of the request.', 1),
    succeeded: integer('Rows without an error.', 1),
    failed: integer('Rows with an error.', 0),
  }),
)
