import { invalid } from '../../platform/core/errors.ts'
import { cutUtmValue } from '../../decision/link.ts'
import {
  DIMENSION_NAMES,
  DIMENSIONS,
  labelOfEmpty,
  type Dimension,
  type Group,
} from './dimensions.ts'
import type { LabelQuery } from './query.ts'

/** The values of one parameter: clicks with any of them, or with none of them. */
export type Filter = { values: readonly string[]; isExcluded: boolean }

/** Conditions on `clicks`, with the parameters of the statement that they name. */
export type LabelConditions = {
  sql: readonly string[]
  params: Readonly<Record<string, string[]>>
  /** The groups of the labels. */
  groups: readonly Group[]
}

const MAX_VALUES = 100
/** Parameters travel in the URL of ClickHouse's HTTP interface. */
const MAX_BYTES = 4_096

/**
 * Reads `a,b` as any of two values and `-a,b` as none of them (contract, section 4). A backslash takes
 * the next character as it is: `a\,b`, `\-a`.
 * @param path the query parameter, for the message
 * @throws ApiError VALIDATION_ERROR for no value or too many
 */
export function parseFilter(text: string, path: string): Filter {
  const isExcluded = text.startsWith('-')
  const values = (isExcluded ? text.slice(1) : text).match(/(?:\\[^]|[^,\\]|\\$)+/g) ?? []
  if (values.length === 0) throw invalid(path, `${path} must name a value.`)
  if (values.length > MAX_VALUES)
    throw invalid(path, `${path} must have at most ${MAX_VALUES} values.`)
  return { values: values.map((value) => value.replace(/\\([^])/g, '$1')), isExcluded }
}

/**
 * The conditions of the filters by label, and by the domain of the click.
 * @throws ApiError VALIDATION_ERROR for a value that no click can have as that label
 */
export function toLabelConditions(query: LabelQuery & { domainId?: string }): LabelConditions {
  const sql: string[] = []
  const params: Record<string, string[]> = {}
  const groups = new Set<Group>()
  let bytes = 0
  const add = (
    path: string,
    { column, group }: { column: string; group: Group },
    text: string,
    toStored: (value: string) => string[],
  ) => {
    groups.add(group)
    const { values, isExcluded } = parseFilter(text, path)
    const stored = values.flatMap(toStored)
    bytes += Buffer.byteLength(stored.join(''))
    if (bytes > MAX_BYTES)
      throw invalid(
        path,
        `The values of all filters must have at most ${MAX_BYTES} bytes together; up to this one they have ${bytes}.`,
      )
    params[path] = stored
    sql.push(`${column} ${isExcluded ? 'not ' : ''}in {${path}:Array(String)}`)
  }
  for (const name of DIMENSION_NAMES) {
    const text = query[name]
    if (text === undefined) continue
    add(name, DIMENSIONS[name], text, (label) => toStoredLabels(name, label))
  }
  if (query.domainId !== undefined) add('domainId', DIMENSIONS.domain, query.domainId, (id) => [id])
  return { sql, params, groups: [...groups] }
}

/** A click without a label is stored with an empty one, and a UTM value cut as the redirect cuts it. */
function toStoredLabels(name: Dimension, label: string): string[] {
  const allowed = ALLOWED[name]
  if (allowed && label !== 'unknown' && !allowed.pattern.test(label))
    throw invalid(name, `${name} must be ${allowed.what}, or unknown.`)
  if (name.startsWith('utm')) return [cutUtmValue(label)]
  return label === labelOfEmpty(name) ? ['', label] : [label]
}

/** Dimensions with a known set of labels, where a misspelled label can be refused. */
const ALLOWED: { readonly [Name in Dimension]?: { pattern: RegExp; what: string } } = {
  country: { pattern: /^[A-Z]{2}$/, what: 'two capital letters of ISO 3166-1, such as DE' },
  continent: {
    pattern: /^(AF|AN|AS|EU|NA|OC|SA)$/,
    what: 'one of AF, AN, AS, EU, NA, OC and SA',
  },
  device: {
    pattern: /^(desktop|mobile|tablet|other)$/,
    what: 'one of desktop, mobile, tablet and other',
  },
  trigger: { pattern: /^(link|qr)$/, what: 'link or qr' },
}
