import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkName } from '../../src/platform/resources/field-checks.ts'

test('a name is kept as it was meant: trimmed, on one line, with something to see', () => {
  for (const name of ['a', 'ü', '日本', '🙂', '#1', ' a b ', 'a\u200db', '٣', '‏שלום'])
    assert.equal(checkName(name, 'name', 20), name.trim())
  for (const name of [
    '',
    ' ',
    '\u200b',
    '\u202e',
    '\u2060\ufeff',
    '\u00ad',
    '\u202ekoobecaf',
    'a\u2066b',
    'a\nb',
    'a\0',
    'x'.repeat(21),
  ])
    assert.throws(
      () => checkName(name, 'name', 20),
      { code: 'VALIDATION_ERROR' },
      JSON.stringify(name),
    )
})
