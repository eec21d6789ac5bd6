import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '../../dashboard/src/api/errors.ts'

const refusalOf = (path: string, message: string) =>
  new ApiError({
    status: 400,
    code: 'VALIDATION_ERROR',
    message,
    requestId: null,
    details: [{ path, message }],
    retryAfterSeconds: null,
  })

test('a message that begins with the name of a field is shown as a sentence', () => {
  for (const [path, message, atField, elsewhere] of [
    ['password', 'password is required.', 'This is required.', 'Password is required.'],
    [
      'rules.0.destinationUrl',
      'rules.0.destinationUrl must have at most 9 characters.',
      'This must have at most 9 characters.',
      'Rules 1 destination URL must have at most 9 characters.',
    ],
    ['url', 'url: links to a.example are blocked.', 'Links to a.example are blocked.', null],
    ['expiresAt', 'startsAt must be before it.', 'Starts at must be before it.', null],
    ['slug', 'The slug is taken.', 'The slug is taken.', 'The slug is taken.'],
    ['slug', 'a.example is no domain.', 'a.example is no domain.', 'a.example is no domain.'],
  ] as const) {
    const error = refusalOf(path, message)
    assert.equal(error.fieldErrors[path], atField)
    if (elsewhere !== null) assert.equal(error.message, elsewhere)
  }
})
