import { invalid } from '../../base/errors.ts'

/** Names under which the APIs of other services answer their list of links. */
const LIST_NAMES = ['data', 'links', 'result', 'results']

/**
 * The list of a JSON export as records of text, the first of which has the names of the columns: what the
 * APIs of YOURLS and Kutt answer, whose programs have no export of their own.
 * @throws ApiError VALIDATION_ERROR
 */
export function toRecords(text: string): string[][] {
  const objects = findList(parse(text)).filter(isObject).map(flatten)
  const names = [...new Set(objects.flatMap((object) => [...object.keys()]))]
  return [names, ...objects.map((object) => names.map((name) => object.get(name) ?? ''))]
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw invalid('file', 'The file is not valid JSON.', 'json')
  }
}

/** The list itself, or the one in an answer; that of YOURLS is an object whose values are the links. */
function findList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  if (!isObject(value)) return []
  const name = LIST_NAMES.find((key) => typeof value[key] === 'object' && value[key] !== null)
  if (name === undefined) return []
  const list = value[name]
  return Array.isArray(list) ? list : Object.values(list as object)
}

function flatten(object: Record<string, unknown>): Map<string, string> {
  const flat = new Map<string, string>()
  for (const [name, value] of Object.entries(object)) flat.set(name, toCell(value))
  return flat
}

function toCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(',')
  return JSON.stringify(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
