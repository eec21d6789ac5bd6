import { invalid, itHas } from '../../platform/core/errors.ts'
import type { LinkOptions } from '../../platform/facts/link-options.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkTags, toUtmColumns } from '../labels.ts'
import { checkAliases, toSlug, type SlugRule } from './addresses.ts'
import { checkDestination } from './destination.ts'
import {
  chooseDomain,
  createOwnTest,
  toDomainColumns,
  toGroupColumns,
  type Groups,
} from '../write/references.ts'
import { checkOptions } from '../options/options.ts'
import type { OptionInputs } from '../options/option-shapes.ts'
import type { LinkRow } from './rows.ts'
import { EXTERNAL_ID_MAX_CHARS, NAME_MAX_CHARS, type UpdateLink } from './schema.ts'
import type { ShortHost } from './dependencies.ts'

const METADATA_MAX_CHARS = 10_000

/** The columns of a request. A null `slug`, `redirectType` or `status` means the same as an absent one. */
export function checkFields(
  input: UpdateLink,
  host: ShortHost,
  before: LinkRow | null,
  groups: Groups,
  nowMs: number,
): Partial<LinkRow> {
  const columns: Partial<LinkRow> = {}
  const domain = chooseDomain(input, before, host, groups)
  if (domain !== undefined) Object.assign(columns, toDomainColumns(domain))
  const { domainId, isCaseSensitive = false }: Partial<LinkRow> = { ...before, ...columns }
  const rule: SlugRule = { host: domainId ? 'branded' : 'shared', isCaseSensitive }
  const isOwn = createOwnTest(host, groups)
  if (input.name !== undefined) columns.name = checkName(input.name, 'name', NAME_MAX_CHARS)
  if (input.destinationUrl !== undefined)
    columns.destinationUrl = checkDestination(input.destinationUrl, isOwn)
  Object.assign(columns, toSlugColumns(input, before, domain !== undefined, rule))
  if (typeof input.redirectType === 'number') columns.redirectType = input.redirectType
  if (typeof input.status === 'string') columns.status = input.status
  if (input.expiresAt !== undefined)
    columns.expiresAt = input.expiresAt === null ? null : toDate(input.expiresAt, 'expiresAt')
  if (input.metadata !== undefined) columns.metadata = checkMetadata(input.metadata)
  if (input.tags !== undefined) columns.tags = checkTags(input.tags)
  if (input.externalId !== undefined)
    columns.externalId =
      input.externalId === null
        ? null
        : checkName(input.externalId, 'externalId', EXTERNAL_ID_MAX_CHARS)
  const utm = toUtmColumns(input)
  Object.assign(columns, utm, toGroupColumns(input, groups, before, utm))
  const toMediaUrl = (id: string) => `${host.origin}/media-public/${id}?size=card`
  const surroundings = { isOwn, nowMs, toMediaUrl }
  const options = checkOptions(input as OptionInputs, before?.options ?? null, surroundings)
  if (options !== undefined) columns.options = options
  checkStart(input, { ...before, ...columns })
  const aliases = checkAliases(input, before, columns, rule)
  if (aliases !== undefined) columns.aliases = aliases
  return columns
}

/** `expired` follows from the time, and only the operator sets `blocked`. */
export function checkStatus(status: string | null | undefined): void {
  if (status === 'expired' || status === 'blocked')
    throw invalid('status', 'status must be one of active, paused, archived.', 'enum')
}

/** The start of a link must be before its end, even if a request has only one of them. */
function checkStart(
  { startsAt, expiresAt }: UpdateLink,
  after: { options?: LinkOptions | null; expiresAt?: Date | null },
): void {
  if ((startsAt ?? expiresAt ?? null) === null) return
  const start = after.options?.startsAt
  if (start === undefined || !after.expiresAt || Date.parse(start) < after.expiresAt.getTime())
    return
  throw invalid(startsAt ? 'startsAt' : 'expiresAt', 'startsAt must be before expiresAt.')
}

/** A link that moves keeps its slug and aliases, which must be valid on the new host. */
function toSlugColumns(
  { slug, aliases }: UpdateLink,
  before: LinkRow | null,
  isMoved: boolean,
  rule: SlugRule,
): { slug?: string; slugKey?: string } {
  if (isMoved && before && aliases === undefined)
    for (const [i, alias] of (before.aliases ?? []).entries()) toSlug(alias, rule, `aliases.${i}`)
  const wanted = slug ?? (isMoved ? before?.slug : null)
  return wanted ? toSlug(wanted, rule, 'slug') : {}
}

function checkMetadata(metadata: Record<string, unknown> | null) {
  const { length } = JSON.stringify(metadata)
  if (length > METADATA_MAX_CHARS)
    throw invalid(
      'metadata',
      `metadata must have at most ${METADATA_MAX_CHARS} characters as JSON${itHas('metadata', length)}.`,
    )
  return metadata
}
