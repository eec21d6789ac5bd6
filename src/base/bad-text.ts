import { ApiError } from './errors.ts'

/** @throws ApiError VALIDATION_ERROR for text that no column can hold. */
export function refuseBadText(text: string, path: string): void {
  if (text.includes('\0') || !text.isWellFormed()) {
    const message = 'NUL characters and lone surrogates are not text.'
    throw new ApiError('VALIDATION_ERROR', message, [{ path, message, code: 'bad_text' }])
  }
}

/**
 * The same for every text inside a decoded value, its keys included.
 * @throws ApiError VALIDATION_ERROR
 */
export function refuseBadTexts(value: unknown, path: string): void {
  if (typeof value === 'string') return refuseBadText(value, path)
  if (typeof value !== 'object' || value === null) return
  for (const [key, item] of Object.entries(value)) {
    refuseBadText(key, path)
    refuseBadTexts(item, path)
  }
}
