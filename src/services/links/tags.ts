import { invalid } from '../../base/errors.ts'
import { checkName } from '../names.ts'

export const MAX_TAGS = 50
export const TAG_MAX_CHARS = 50

/**
 * The tags of a link in their stored form: trimmed, in Unicode's composed form (NFC), each once; null for
 * none. Tags are compared as they are written. None has a comma, which separates tags in queries and CSV.
 * @throws ApiError VALIDATION_ERROR with a path such as `tags.0`
 */
export function checkTags(input: readonly string[] | null): string[] | null {
  const tags = (input ?? []).map((tag, i) => toTag(tag, `tags.${i}`))
  return tags.length === 0 ? null : [...new Set(tags)]
}

/** @throws ApiError VALIDATION_ERROR with `path` */
function toTag(input: string, path: string): string {
  const tag = checkName(input.normalize('NFC'), path, TAG_MAX_CHARS)
  if (tag.includes(',')) throw invalid(path, `${path} must not contain a comma.`)
  return tag
}

/** The tags of a query, separated by commas. */
export function splitTags(text: string): string[] {
  return text
    .split(',')
    .map((tag) => tag.trim().normalize('NFC'))
    .filter((tag) => tag !== '')
}
