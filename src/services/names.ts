import { invalid } from '../base/errors.ts'

/**
 * A name as it is stored: trimmed, on one line, not empty.
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function checkName(name: string, path: string, maxChars: number): string {
  const trimmed = name.trim()
  if (/\p{Cc}/u.test(trimmed)) throw invalid(path, `${path} must not hold control characters.`)
  if (trimmed === '' || Array.from(trimmed).length > maxChars)
    throw invalid(path, `${path} must have 1 to ${maxChars} characters.`)
  return trimmed
}
