import { invalid } from '../core/errors.ts'
import { itHas } from '../routes/refused-value.ts'
import { slugKey } from '../facts/slug.ts'

/** Control characters, and those that change the text direction around a name. */
const CONTROL = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u
/** Spaces, joiners and direction marks alone look empty. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

export function checkName(name: string, path: string, maxChars: number): string {
  const trimmed = name.trim()
  if (CONTROL.test(trimmed)) throw invalid(path, `${path} must not contain control characters.`)
  const { length } = Array.from(trimmed)
  if (length === 0 || length > maxChars)
    throw invalid(path, `${path} must have 1 to ${maxChars} characters${itHas(path, length)}.`)
  if (!VISIBLE.test(trimmed)) throw invalid(path, `${path} must have a visible character.`)
  return trimmed
}

/** Unique names are compared by this key, in any case and spelling that Unicode folds together. */
export function toNameKey(name: string): string {
  return slugKey(name)
}
