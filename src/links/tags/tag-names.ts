import { invalid } from '../../platform/core/errors.ts'
import { checkName } from '../../platform/resources/field-checks.ts'

export const MAX_TAGS = 50
export const TAG_MAX_CHARS = 50

/** Clients remove these path segments, so no request could name such a tag. */
const UNREACHABLE = new Set(['.', '..'])

/**
 * The stored form of the tags, each once; null for none.
 * @throws ApiError VALIDATION_ERROR with a path such as `tags.0`
 */
export function checkTags(input: readonly string[] | null): string[] | null {
  const tags = (input ?? []).map((tag, i) => toTag(tag, `tags.${i}`))
  return tags.length === 0 ? null : [...new Set(tags)]
}

/**
 * The stored form of a tag: trimmed and in NFC. A tag has no comma, which separates tags in queries and CSV.
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function toTag(input: string, path: string): string {
  const tag = checkName(input.normalize('NFC'), path, TAG_MAX_CHARS)
  if (tag.includes(',')) throw invalid(path, `${path} must not contain a comma.`)
  if (UNREACHABLE.has(tag)) throw invalid(path, `${path} must not be "." or "..".`)
  return tag
}
