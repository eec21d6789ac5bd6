import { invalid } from '../core/errors.ts'
import { itHas } from '../routes/refused-value.ts'
import { slugKey } from '../facts/slug.ts'

/** Control characters, and the ones that override or isolate the direction of the text around a name. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** A visible character; spaces, joiners and direction marks alone look empty. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * The stored form of a name: trimmed, on one line, with a visible character.
 * @throws ApiError VALIDATION_ERROR with `path`
 */
export function checkName(name: string, path: string, maxChars: number): string {
  const trimmed = name.trim()
  if (CONTROL.test(trimmed)) throw invalid(path, `${path} must not contain control characters.`)
  const { length } = Array.from(trimmed)
  if (length === 0 || length > maxChars)
    throw invalid(path, `${path} must have 1 to ${maxChars} characters${itHas(path, length)}.`)
  if (!VISIBLE.test(trimmed)) throw invalid(path, `${path} must have a visible character.`)
  return trimmed
}

/** The form in which unique names are compared: in any case, and in every spelling that Unicode folds together. */
export function toNameKey(name: string): string {
  return slugKey(name)
}
