import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type, type TSchema } from 'typebox'
import { toDetails } from '../../src/base/shape-check.ts'
import { compileValidator } from '../../src/gateway/validation.ts'

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
    [Type.Array(Type.String(), { minItems: 1 }), [], 'minItems: field must have at least 1 entry.'],
    [
      Type.Array(Type.String(), { minItems: 2 }),
      [],
      'minItems: field must have at least 2 entries.',
    ],
    [
      Type.Array(Type.String(), { maxItems: 1 }),
      ['a', 'b'],
      'maxItems: field must have at most 1 entry.',
    ],
    [
      Type.Array(Type.String(), { uniqueItems: true }),
      ['a', 'a'],
      'uniqueItems: field must not have an entry twice.',
    ],
    [Type.Integer({ minimum: 1 }), 0, 'minimum: field must be 1 or more.'],
    [Type.Integer({ maximum: 8 }), 9, 'maximum: field must be 8 or less.'],
    [Type.Number({ exclusiveMinimum: 0 }), 0, 'exclusiveMinimum: field must be more than 0.'],
    [Type.Number({ exclusiveMaximum: 1 }), 1, 'exclusiveMaximum: field must be less than 1.'],
    [Type.Integer({ multipleOf: 5 }), 4, 'multipleOf: field must be a multiple of 5.'],
    [Type.Integer(), 'a', 'type: field must be a whole number.'],
    [Type.String(), 5, 'type: field must be text.'],
    [Type.Unsafe({ type: ['boolean', 'null'] }), 5, 'type: field must be true or false or null.'],
    [Type.Array(Type.String()), {}, 'type: field must be a list.'],
    [Type.String({ enum: ['a', 'b'] }), 'c', 'enum: field must be one of a, b.'],
    [Type.Literal('a'), 'c', 'const: field must be "a".'],
    [Type.String({ minLength: 1 }), '', 'minLength: field must have at least 1 character.'],
    [Type.String({ maxLength: 2 }), 'abc', 'maxLength: field must have at most 2 characters.'],
    [
      Type.String({ format: 'date-time' }),
      '2026-01-01',
      'format: field must be a time with its zone, such as 2026-01-31T12:00:00Z.',
    ],
    [Type.String({ pattern: '^a$' }), 'b', 'pattern: field must match ^a$.'],
    [Type.String(), undefined, 'required: field is required.'],
  ]
  for (const [schema, value, sentence] of cases)
    assert.equal(told(schema, value), `field ${sentence}`)
})
