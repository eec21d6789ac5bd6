import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpaque } from '../../../src/platform/core/opaque.ts'
import { createSecrets } from '../../../src/platform/core/secrets.ts'

const secrets = createSecrets('a secret key for the tests of opaque parameters')
const cursors = createOpaque<unknown>(secrets, 'cursor-1')
const REFUSED = {
  code: 'VALIDATION_ERROR',
  message: 'cursor must be a value that an earlier answer returned.',
}

test('a sealed parameter opens to the value that was sealed', () => {
  for (const value of [null, 7, 'ü', ['a', { b: [1, null] }], { at: '2026-01-01', id: 'x' }])
    assert.deepEqual(cursors.open('wsp_1', cursors.seal('wsp_1', value), 'cursor'), value)
})

test('a sealed parameter opens for its workspace, purpose and installation alone', () => {
  const sealed = cursors.seal('wsp_1', { id: 1 })
  const others: [typeof cursors, string][] = [
    [cursors, 'wsp_2'],
    [createOpaque(secrets, 'cursor-2'), 'wsp_1'],
    [createOpaque(createSecrets('another key'), 'cursor-1'), 'wsp_1'],
  ]
  for (const [other, workspaceId] of others)
    assert.throws(() => other.open(workspaceId, sealed, 'cursor'), REFUSED)
})

test('no change of a single character opens', () => {
  const sealed = cursors.seal('wsp_1', { id: 'abc' })
  for (let at = 0; at < sealed.length; at++) {
    const other = sealed[at] === 'A' ? 'B' : 'A'
    const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
    // The last character of a base64 text has bits that mean nothing.
    if (at < sealed.length - 1)
      assert.throws(() => cursors.open('wsp_1', changed, 'cursor'), REFUSED, changed)
  }
  for (const text of ['', '.', 'x', `${sealed}=`, `${sealed}.${sealed}`, ` ${sealed}`, '\0'])
    assert.throws(() => cursors.open('wsp_1', text, 'cursor'), REFUSED, text)
})

test('sealed text that no column can hold is refused when it is opened', () => {
  for (const value of ['\0', { id: '\0' }, { '\0': 1 }, [['a', '\ud800']]])
    assert.throws(
      () => cursors.open('wsp_1', cursors.seal('wsp_1', value), 'cursor'),
      (error: { code: string; details: { path: string; code: string }[] }) =>
        error.code === 'VALIDATION_ERROR' &&
        error.details[0]!.path === 'cursor' &&
        error.details[0]!.code === 'bad_text',
    )
})
