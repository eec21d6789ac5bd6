import { Type, type Static, type TSchema } from 'typebox'
import { ERRORS, type ErrorCode } from '../../platform/core/errors.ts'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import {
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
} from '../../platform/resources/shapes.ts'
import {
  CreateLink,
  DomainName,
  ExportLinks,
  EXTERNAL_ID_MAX_CHARS,
  tags,
  UpdateLink,
} from '../link/schema.ts'

const MAX_ROWS = 1_000
export const MAX_MATCHING = 10_000

/** The rule checks the entries one by one, so that each fails alone. */
function rowsOf(entry: TSchema, description: string, ...examples: readonly unknown[]) {
  const list = Type.Array(Type.Unknown(), { minItems: 1, maxItems: MAX_ROWS })
  return documented(described(list, description, ...examples), { items: entry })
}

const newLinks = rowsOf(CreateLink, `The links, at most ${MAX_ROWS}.`, [
  { name: 'Spring sale', destinationUrl: 'https://example.com/spring' },
])

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

export const LinkFilter = named('LinkFilter', Type.Partial(ExportLinks))
export type LinkFilter = Static<typeof LinkFilter>

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
  filter: Type.Optional(
    described(
      LinkFilter,
      `The links by the filters of \`GET /links\`, instead of a list; at most ${MAX_MATCHING}. \`{}\` means all that are not archived.`,
      { tag: 'newsletter' },
    ),
  ),
}

const UpdateEachLink = object('UpdateEachLink', {
  ...UpdateLink.properties,
  addTags: Type.Optional(described(tags, 'Tags to add to each link.', ['newsletter'])),
  removeTags: Type.Optional(
    described(tags, 'Tags to remove from each link. A tag in both lists stays.', ['draft']),
  ),
})
export type UpdateEachLink = Static<typeof UpdateEachLink>

export const UpdateLinks = object('UpdateLinks', {
  ...names,
  data: described(UpdateEachLink, 'The fields to change, the same for all links.', {
    addTags: ['newsletter'],
  }),
})
export type UpdateLinks = Static<typeof UpdateLinks>

export const DeleteLinks = object('DeleteLinks', names)
export type DeleteLinks = Static<typeof DeleteLinks>

export const UpsertQuery = Type.Object({
  keep: flag('Whether a link that exists stays as it is.', false, { default: false }),
})
export type UpsertQuery = Static<typeof UpsertQuery>

export const UpsertMeta = object('UpsertMeta', { created: flag('Whether the link is new.', true) })

export const SlugQuery = Type.Object({
  slug: text('The wanted slug.', 'spring-sale', { minLength: 1, maxLength: 400 }),
  domainId: Type.Optional(idInput('dom', 'The domain; without it the default one.')),
  domain: Type.Optional(DomainName),
})
export type SlugQuery = Static<typeof SlugQuery>

export const SlugAnswer = object('SlugAnswer', {
  slug: text('The slug of the request.', 'spring-sale'),
  available: flag('Whether a link of the workspace could have it.', false),
  reason: nullable(
    described(
      Type.String({ enum: ['taken', 'reserved', 'invalid'] }),
      'Why not. `taken`: another link has it, or it is reserved for another workspace. `reserved`: a page of the server has it. `invalid`: it has characters that a slug cannot have.',
      'taken',
    ),
  ),
})

const GROUPS = ['status', 'tag', 'folderId', 'campaignId', 'domainId', 'createdBy'] as const
export type GroupBy = (typeof GROUPS)[number]

export const CountLinks = Type.Object({
  groupBy: Type.Optional(oneOf(GROUPS, 'The field by which links are counted.', 'status')),
  ...ExportLinks.properties,
})
export type CountLinks = Static<typeof CountLinks>

export const LinkCounts = object('LinkCounts', {
  total: integer('Links that the filters match.', 42),
  groups: described(
    Type.Array(
      Type.Object({
        key: nullable(text('The value of the field; null for links without one.', 'active')),
        count: integer('Number of links. A link with several tags counts for each.', 42),
      }),
    ),
    'The largest groups first, at most 1,000; empty without `groupBy`.',
  ),
})

const RowError = object('BulkRowError', {
  code: described(
    Type.String({ enum: Object.keys(ERRORS) as ErrorCode[] }),
    'The code that the single request would have.',
    'CONFLICT',
  ),
  message: text('What is wrong with the row.', 'This slug is taken.'),
  details: described(Type.Unknown(), 'As in every error, with paths of the whole request.', [
    { path: 'links.7.slug', message: 'This slug is taken.', code: 'taken' },
  ]),
})

const STATUSES = ['created', 'updated', 'unchanged', 'deleted', 'failed'] as const

export const BulkRow = object('BulkRow', {
  index: integer('Index of the row in the request, from 0.', 0),
  id: nullable(idShape('lnk', 'Id of the link; null if the row failed and named none.')),
  status: oneOf(STATUSES, 'What became of the row.', 'created'),
  externalId: nullable(text('Its `externalId`.', 'crm-4711')),
  shortUrl: nullable(text('Its short URL.', 'https://links.example.com/spring-sale')),
  error: nullable(described(RowError, 'Why the row failed; null otherwise.')),
})

export const BulkMeta = object('BulkMeta', {
  total: integer('Rows of the request.', 1),
  succeeded: integer('Rows without an error.', 1),
  failed: integer('Rows with an error.', 0),
})

export const BulkChangeMeta = object('BulkChangeMeta', {
  ...BulkMeta.properties,
  undoId: nullable(
    idShape('und', 'For `POST /links/bulk/undo`, for an hour; null if nothing was changed.'),
  ),
})

export const UndoBulk = object('UndoBulk', {
  undoId: idInput('und', 'The `undoId` of the operation.'),
})

const REASONS = ['changed', 'clicked', 'deleted', 'refused'] as const
export type UndoReason = (typeof REASONS)[number]

export const UndoRow = object('UndoRow', {
  id: idShape('lnk', 'Id of the link.'),
  status: oneOf(
    ['restored', 'deleted', 'skipped'],
    '`restored`: it is as before the operation. `deleted`: the operation had created it. `skipped`: it was not changed.',
    'restored',
  ),
  shortUrl: nullable(text('Its short URL.', 'https://links.example.com/spring-sale')),
  reason: nullable(
    described(
      Type.String({ enum: [...REASONS] }),
      'Why it was skipped: it was changed or deleted since, it was created by the operation and visited since, or a former value is no longer possible.',
      'changed',
    ),
  ),
  message: nullable(text('The reason, for users.', 'The link was changed after the operation.')),
})
export type UndoRow = Static<typeof UndoRow>

export const UndoMeta = object('UndoMeta', {
  total: integer('Links of the operation.', 1),
  succeeded: integer('Links that are as before.', 1),
  skipped: integer('Links that were skipped.', 0),
})
