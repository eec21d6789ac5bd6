import type { ApiError } from '../core/errors.ts'
import type { Language } from '../facts/languages.ts'
import { FORM_TEXTS } from '../text/forms.ts'
import type { FormError } from '../text/texts.ts'

/** What a page says about an error of the API. */
export function problemIn(
  language: Language,
  { code, details, message, status }: ApiError,
): string {
  const { errors } = FORM_TEXTS[language]
  if (errors === null) return message
  const [first] = Array.isArray(details) ? details : []
  const keys = [first?.code, first?.path, code] as (FormError | undefined)[]
  const known = keys.find((key) => key !== undefined && Object.hasOwn(errors, key))
  return errors[known ?? (status < 500 ? 'VALIDATION_ERROR' : 'INTERNAL_ERROR')]
}
