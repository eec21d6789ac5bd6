import { invalid } from '../../platform/core/errors.ts'
import type { Fields } from '../fields.ts'

/** Fields that `/v1` does not see as they are. @throws ApiError VALIDATION_ERROR */
export function refuseOthers(type: 'string' | 'boolean', fields: Fields, ...names: string[]): void {
  const name = names.find((each) => (fields[each] ?? null) !== null && typeof fields[each] !== type)
  if (name !== undefined)
    throw invalid(name, `${name} must be ${type === 'string' ? 'text' : 'true or false'}.`)
}

/** A client that sends every field sends these for what it leaves out. */
const EMPTY = ['', 'null', 'false', '[]', '""', '"false"']

/** Ignoring a filter would answer with other rows, and ignoring an option would change what a link does. */
export function refuse(fields: Fields, ...names: readonly string[]): void {
  const name = names.find((each) => !EMPTY.includes(JSON.stringify(fields[each]) ?? ''))
  if (name !== undefined) throw invalid(name, `${name} is not supported by this server.`)
}

/** A list that clients send as an array, or as a text with commas. @throws ApiError VALIDATION_ERROR */
export function toList(name: string, value: unknown): string[] {
  const given = [value ?? []].flat()
  if (!given.every((each) => typeof each === 'string')) throw invalid(name, `${name} must be text.`)
  return given.flatMap((each) => each.split(',')).filter((text) => text !== '')
}

const MAX_PAGE = 100

/** Pages count from 1. `/v1` refuses what is no number. @throws ApiError VALIDATION_ERROR */
export function toSlice({ page = 1, pageSize = MAX_PAGE }: Fields) {
  const limit = Number(pageSize)
  if (limit > MAX_PAGE) throw invalid('pageSize', `A page has at most ${MAX_PAGE} rows.`)
  return { limit, offset: (Number(page) - 1) * limit }
}

/** Names that are the same here, for `rename`. */
export const same = (...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, name]))
