import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf } from '../../dashboard/src/figures/labels.ts'

test('a label is named by the texts, and by nothing that all objects have', () => {
  assert.equal(nameOf('device', 'mobile'), 'Phone')
  for (const label of ['constructor', '__proto__', 'toString'])
    assert.equal(nameOf('referrer', label), label)
})
