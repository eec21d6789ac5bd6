import { ApiError, invalid } from '../../platform/core/errors.ts'

export const MAX_ROWS = 10_000
export const MAX_COLUMNS = 200

export function refused(message: string, code: string): ApiError {
  return invalid('file', message, code)
}

export function tooManyRows(): ApiError {
  return new ApiError(
    'PAYLOAD_TOO_LARGE',
    `The file has more than ${MAX_ROWS.toLocaleString('en')} rows; split it and import the parts one after the other.`,
  )
}

export function tooManyColumns(): ApiError {
  return refused(`The file has more than ${MAX_COLUMNS} columns.`, 'header')
}
