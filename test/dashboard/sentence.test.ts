import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, sayError, translateErrors } from '../../dashboard/src/api/errors.ts'

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

test('in another language an error is said by its code, and as the API says it where there is no text', (t) => {
  const texts: Record<string, string> = { VALIDATION_ERROR: 'Ungültig.', taken: 'Vergeben.' }
  translateErrors((code) => texts[code])
  t.after(() => translateErrors(() => undefined))
  const refusal = { status: 400, requestId: null, retryAfterSeconds: null }
  const known = new ApiError({
    ...refusal,
    code: 'VALIDATION_ERROR',
    message: 'slug is taken.',
    details: [
      { path: 'slug', message: 'slug is taken.', code: 'taken' },
      { path: 'name', message: 'name is odd.', code: 'odd' },
    ],
  })
  assert.equal(known.message, 'Ungültig.')
  assert.equal(known.said, 'slug is taken.')
  assert.deepEqual(known.fieldErrors, { slug: 'Vergeben.', name: 'This is odd.' })
  Object.assign(texts, { length: 'Zu kurz oder lang.', invalid: 'Unpassend.' })
  assert.equal(sayError({ code: 'minLength', message: 'name is short.' }), 'Zu kurz oder lang.')
  assert.deepEqual(known.fieldErrors, { slug: 'Vergeben.', name: 'Unpassend.' })
  const unknown = new ApiError({ ...refusal, code: 'NEW', message: 'It is new.', details: [] })
  assert.equal(unknown.message, 'It is new.')
})
