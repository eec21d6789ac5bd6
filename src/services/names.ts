import { invalid } from '../base/errors.ts'

/** Something to see: names of spaces, joiners or marks of direction alone look like none. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * A name as it is stored: trimmed, on one line, with something to see.
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function checkName(name: string, path: string, maxChars: number): string {
  const trimmed = name.trim()
  if (/\p{Cc}/u.test(trimmed)) throw invalid(path, `${path} must not hold control characters.`)
  if (trimmed === '' || Array.from(trimmed).length > maxChars)
    throw invalid(path, `${path} must have 1 to ${maxChars} characters.`)
  if (!VISIBLE.test(trimmed)) throw invalid(path, `${path} must have a visible character.`)
  return trimmed
}
