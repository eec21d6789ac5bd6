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
