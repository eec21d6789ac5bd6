import { ApiError } from '../core/errors.ts'

/** @throws ApiError VALIDATION_ERROR for text that PostgreSQL cannot store */
export function refuseBadText(text: string, path: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    const message = 'The text must not contain NUL characters or lone surrogates.'
    throw new ApiError('VALIDATION_ERROR', message, [{ path, message, code: 'bad_text' }])
  }
}

export function refuseBadTexts(value: unknown, path: string): void {
  if (typeof value === 'string') return refuseBadText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    refuseBadText(key, path)
    refuseBadTexts(item, path)
  }
}

export const MAX_JSON_DEPTH = 32

const BACKSLASH = 92
const QUOTE = 34
const OPEN_BRACE = 123
const CLOSE_BRACE = 125
const OPEN_BRACKET = 91
const CLOSE_BRACKET = 93

export function isTooDeep(text: string): boolean {
  let depth = 0
  let isInString = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (isInString) {
      if (code === BACKSLASH) i++
      else if (code === QUOTE) isInString = false
    } else if (code === QUOTE) isInString = true
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
  }
  return false
}
