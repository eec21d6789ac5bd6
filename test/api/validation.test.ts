import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TSchema } from 'typebox'
import { toDetails } from '../../src/platform/routes/shape-check.ts'
import { compileValidator } from '../../src/api/requests/validation.ts'

/** Errors for values that a shape refuses. */
function told(schema: TSchema, value: unknown): string {
  const body = Type.Object({ field: schema })
  const check = compileValidator({ schema: body, httpPart: 'body', method: 'POST', url: '/' })
  assert.equal(check({ field: value }), false)
  return toDetails(check.errors as never)
    .map(({ path, message, code }) => `${path} ${code}: ${message}`)
    .join(' ')
}

test('validation errors are described in plain sentences', () => {
  const cases: [TSchema, unknown, string][] = [
    [
      Type.Array(Type.String(), { minItems: 1 }),
      [],
      'minItems: field must have at least 1 entry; it has 0.',
    ],
    [
      Type.Array(Type.String(), { minItems: 2 }),
      [],
      'minItems: field must have at least 2 entries; it has 0.',
    ],
    [
      Type.Array(Type.String(), { maxItems: 1 }),
      ['a', 'b'],
      'maxItems: field must have at most 1 entry; it has 2.',
    ],
    [
      Type.Array(Type.String(), { uniqueItems: true }),
      ['a', 'a'],
      'uniqueItems: field must not have duplicate entries; entries 0 and 1 are the same.',
    ],
    [Type.Integer({ minimum: 1 }), 0, 'minimum: field must be 1 or more; it is 0.'],
    [Type.Integer({ maximum: 8 }), 9, 'maximum: field must be 8 or less; it is 9.'],
    [
      Type.Number({ exclusiveMinimum: 0 }),
      0,
      'exclusiveMinimum: field must be more than 0; it is 0.',
    ],
    [
      Type.Number({ exclusiveMaximum: 1 }),
      1,
      'exclusiveMaximum: field must be less than 1; it is 1.',
    ],
    [Type.Integer({ multipleOf: 5 }), 4, 'multipleOf: field must be a multiple of 5; it is 4.'],
    [Type.Integer(), 'a', 'type: field must be a whole number; it is "a".'],
    [Type.String(), 5, 'type: field must be text; it is 5.'],
    [
      Type.Unsafe({ type: ['boolean', 'null'] }),
      5,
      'type: field must be true or false or null; it is 5.',
    ],
    [Type.Array(Type.String()), {}, 'type: field must be a list; it is an object.'],
    [Type.String({ enum: ['a', 'b'] }), 'c', 'enum: field must be one of a, b; it is "c".'],
    [Type.Literal('a'), 'c', 'const: field must be "a"; it is "c".'],
    [
      Type.String({ minLength: 1 }),
      '',
      'minLength: field must have at least 1 character; it has 0.',
    ],
    [
      Type.String({ maxLength: 2 }),
      'abc',
      'maxLength: field must have at most 2 characters; it has 3.',
    ],
    [
      Type.String({ format: 'date-time' }),
      '2026-01-01',
      'format: field must be a time with its zone, such as 2026-01-31T12:00:00Z; it is "2026-01-01".',
    ],
    [Type.String({ pattern: '^a$' }), 'b', 'pattern: field must match ^a$; it is "b".'],
    [Type.String(), undefined, 'required: field is required.'],
  ]
  for (const [schema, value, sentence] of cases)
    assert.equal(told(schema, value), `field ${sentence}`)
})

/** Messages for fields that a shape refuses, as an answer has them. */
function messages(properties: Record<string, TSchema>, input: object, httpPart = 'body'): string[] {
  const schema = Type.Object(properties)
  const check = compileValidator({ schema, httpPart, method: 'POST', url: '/' })
  assert.equal(check(input), false)
  return toDetails(check.errors as never).map(({ message }) => message)
}

test('a refused value is cut, and shown without characters that a terminal obeys', () => {
  const short = Type.String({ enum: ['a'] })
  for (const [value, shown] of [
    ['😀'.repeat(100_000), `"${'😀'.repeat(60)}…"`],
    ['x'.repeat(60), `"${'x'.repeat(60)}"`],
    ['a"b\\c\n\u001b[2J\u202Ed\ud800', '"a\\"b\\\\c\\n\\u001b[2J\\u{202e}d\ufffd"'],
    [null, 'null'],
    [true, 'true'],
    [{ a: 1 }, 'an object'],
    [[1], 'a list'],
  ] as const) {
    const [message = ''] = messages({ field: short }, { field: value }).slice(-1)
    assert.ok(message.endsWith(`; it is ${shown}.`), message)
  }
  assert.deepEqual(messages({ days: Type.Integer() }, { days: '1e2' }, 'querystring'), [
    'days must be a whole number; it is "1e2".',
  ])
})

test('nothing about a value that may be a secret is repeated', () => {
  const strings = { minLength: 3, maxLength: 4, pattern: '^a+$' }
  for (const name of ['password', 'newPassword', 'secret', 'token', 'apiKey', 'code', 'headers'])
    for (const value of ['x', 'canary', 7_654_321]) {
      const found = messages({ [name]: Type.String(strings) }, { [name]: value })
      assert.ok(found.length > 0)
      assert.doesNotMatch(found.join(), /; it|canary|7654321/, name)
    }
  const inHeaders = messages(
    { headers: Type.Record(Type.String(), Type.String({ maxLength: 3 })) },
    { headers: { 'X-Anything': 'canary' } },
  )
  assert.deepEqual(inHeaders, ['headers.X-Anything must have at most 3 characters.'])
})
