import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import {
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
} from '../../platform/resources/shapes.ts'

export const UndoBulk = named(
  'UndoBulk',
  Type.Object({ undoId: idInput('und', 'The `undoId` of the operation.') }),
)

const REASONS = ['changed', 'clicked', 'deleted', 'refused'] as const
export type UndoReason = (typeof REASONS)[number]

export const UndoRow = named(
  'UndoRow',
  Type.Object({
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
  }),
)
export type UndoRow = Static<typeof UndoRow>

export const UndoMeta = named(
  'UndoMeta',
  Type.Object({
    total: integer('Links of the operation.', 1),
    succeeded: integer('Links that are as before.', 1),
    skipped: integer('Links that were skipped.', 0),
  }),
)
