import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameOf } from '../../dashboard/src/figures/labels.ts'
import { readAction } from '../../dashboard/src/kit/read-action.ts'

test('a label is named by the texts, and by nothing that all objects have', () => {
  assert.equal(nameOf('device', 'mobile'), 'Phone')
  for (const label of ['constructor', '__proto__', 'toString'])
    assert.equal(nameOf('referrer', label), label)
})

test('an action is read as words, with the spelling of API', () => {
  assert.equal(readAction('webhook.secret_viewed'), 'Webhook secret viewed')
  assert.equal(readAction('api_key.created'), 'API key created')
})
