import { Type, type Static, type TNumberOptions, type TSchema, type TStringOptions } from 'typebox'
import { invalid } from '../core/errors.ts'
import { annotate, getAnnotation, described, named, object } from '../routes/shape.ts'
import { ROLES, type Role } from '../routes/principal.ts'
import { CAPABILITY_NAMES, type Capability } from '../plans/plan.ts'

const EXAMPLE_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV'

/** One schema with two types needs no `anyOf`. A named shape stays a reference. */
export function nullable<S extends TSchema & { type: string }>(schema: S) {
  const { name, of, ...annotation } = getAnnotation(schema)
  const isNamed = name !== undefined || of !== undefined
  return annotate(Type.Unsafe<Static<S> | null>({ ...schema, type: [schema.type, 'null'] }), {
    ...annotation,
    ...(isNamed && { of: of ?? schema }),
  })
}

export const Timestamp = described(
  Type.String({ format: 'date-time' }),
  'A time in UTC with milliseconds.',
  '2026-01-01T00:00:00.000Z',
)

export const CreatedAt = described(Timestamp, 'When it was created.')
export const UpdatedAt = described(Timestamp, 'When it was last changed.')
export const LastUsedAt = described(Timestamp, 'When it was last used.')

/** For responses. */
export function idShape(prefix: string, description: string) {
  return described(Type.String(), description, `${prefix}_${EXAMPLE_ULID}`)
}

export const WorkspaceId = idShape('wsp', 'Id of the workspace it belongs to.')

/** For requests. */
export function idInput(prefix: string, description: string) {
  return described(
    Type.String({ minLength: 1, maxLength: 64 }),
    description,
    `${prefix}_${EXAMPLE_ULID}`,
  )
}

export function idParams(prefix: string, noun: string) {
  return Type.Object({ id: idInput(prefix, `Id of the ${noun}.`) })
}

export const RoleName = described(
  Type.Unsafe<Role>({ type: 'string', enum: [...ROLES] }),
  'What a member may do; each role includes those before it.',
  'member',
)

export function text(description: string, example: string, options: TStringOptions = {}) {
  return described(Type.String(options), description, example)
}

export function integer(description: string, example: number, options: TNumberOptions = {}) {
  return described(Type.Integer(options), description, example)
}

export function flag(description: string, example: boolean, options: { default?: boolean } = {}) {
  return described(Type.Boolean(options), description, example)
}

export function oneOf<const Word extends string>(
  words: readonly Word[],
  description: string,
  example: Word,
  options: { default?: Word } = {},
) {
  const shape = Type.Unsafe<Word>({ type: 'string', enum: [...words], ...options })
  return described(shape, description, example)
}

export function fieldsOf<const Name extends string, Shape extends TSchema>(
  names: readonly Name[],
  toShape: (name: Name) => Shape,
) {
  const shapes = Object.fromEntries(names.map((name) => [name, toShape(name)]))
  return Type.Object(shapes as Record<Name, Shape>)
}

export const From = described(Timestamp, 'Only rows of this time or later.')
export const To = described(Timestamp, 'Only rows before this time.', '2026-02-01T00:00:00.000Z')

const MAX_LIMIT = 100

export const PageQuery = {
  limit: described(
    Type.Integer({ minimum: 1, default: 50 }),
    'Rows per page. More than 100 counts as 100.',
    50,
  ),
  offset: described(
    Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 }),
    'How many rows to skip.',
    0,
  ),
}

export const Paged = Type.Object(PageQuery)
export type Paged = Static<typeof Paged>

export const PageMeta = object('PageMeta', {
  total: described(Type.Integer(), 'How many rows there are in all.', 1),
  limit: described(Type.Integer(), 'The `limit` of this page.', 50),
  offset: described(Type.Integer(), 'The `offset` of this page.', 0),
})

export const FilteredMeta = object('FilteredPageMeta', {
  ...PageMeta.properties,
  totalIsExact: Type.Optional(
    described(
      Type.Boolean(),
      'False: more than 10,000 rows match, and the total says 10000. Left out otherwise.',
      false,
    ),
  ),
})

export function clampLimit(limit: number): number {
  return Math.min(limit, MAX_LIMIT)
}

/** Refuses times that pass the format check and that no database has: leap seconds, the year 0, offsets without minutes. */
export function toDate(value: string, path: string): Date {
  const time = new Date(value)
  const year = time.getUTCFullYear()
  if (Number.isNaN(year) || year < 1970 || year > 9999)
    throw invalid(path, `${path} must be a time between the years 1970 and 9999.`)
  return time
}

/** Null is unbounded; `to` is exclusive. */
export function toPeriod(query: { from?: string | undefined; to?: string | undefined }) {
  const from = query.from === undefined ? null : toDate(query.from, 'from')
  const to = query.to === undefined ? null : toDate(query.to, 'to')
  if (from !== null && to !== null && from > to) throw invalid('from', 'from must not be after to.')
  return { from, to }
}

type WithIsoTimes<Row> = {
  [Field in keyof Row]: Row[Field] extends Date
    ? string
    : Row[Field] extends Date | null
      ? string | null
      : Row[Field]
}

export function toIsoTimes<Row extends object>(row: Row): WithIsoTimes<Row> {
  const fields = Object.entries(row).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ])
  return Object.fromEntries(fields) as WithIsoTimes<Row>
}

export function isoOrNull(date: Date | null): string | null {
  return date ? date.toISOString() : null
}

const capabilityOf = (name: Capability) => flag(`Whether the plan includes \`${name}\`.`, true)

export const PlanCapabilities = named('PlanCapabilities', fieldsOf(CAPABILITY_NAMES, capabilityOf))
