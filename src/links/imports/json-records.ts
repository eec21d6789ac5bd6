import { isTooDeep, MAX_JSON_DEPTH } from '../../platform/routes/json-depth.ts'
import { MAX_COLUMNS, MAX_ROWS, refused, tooManyColumns, tooManyRows } from './file-refusals.ts'

/** Names under which the APIs of other services answer their list of links. */
const LIST_NAMES = ['data', 'links', 'result', 'results']

/**
 * The list of a JSON export as records of text, the first of which has the names of the columns: what the
 * APIs of YOURLS and Kutt answer, whose programs have no export of their own.
 * @throws ApiError VALIDATION_ERROR; PAYLOAD_TOO_LARGE beyond 10,000 rows
 */
export function toRecords(text: string): string[][] {
  const objects = findList(parse(text)).filter(isObject)
  if (objects.length > MAX_ROWS) throw tooManyRows()
  const names = new Set<string>()
  for (const object of objects)
    for (const name of Object.keys(object)) {
      names.add(name)
      // Before a row has a cell for each name that any of them has.
      if (names.size > MAX_COLUMNS) throw tooManyColumns()
    }
  const header = [...names]
  return [header, ...objects.map((object) => header.map((name) => toCell(object, name)))]
}

function parse(text: string): unknown {
  if (isTooDeep(text)) throw refused(`The file is nested beyond ${MAX_JSON_DEPTH} levels.`, 'json')
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    throw refused('The file is not valid JSON.', 'json')
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

function toCell(object: Record<string, unknown>, name: string): string {
  const value = Object.hasOwn(object, name) ? object[name] : null
  if (value === null || value === undefined) return ''
  if (typeof value === 'string') return value
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return value.join(',')
  return JSON.stringify(value)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
