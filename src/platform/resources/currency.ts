import { invalid } from '../core/errors.ts'
import { itIs } from '../routes/refused-value.ts'

const CODES = new Set(Intl.supportedValuesOf('currency'))

export function checkCurrency(code: string, path: string): string {
  if (!CODES.has(code.toUpperCase()))
    throw invalid(
      path,
      `${path} must be an ISO 4217 code of three letters, such as usd${itIs(path, code)}.`,
    )
  return code.toLowerCase()
}
