import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ownText } from '../../dashboard/src/figures/own-text.ts'
import { readAction } from '../../dashboard/src/kit/read-action.ts'

test('a label is named by the texts, and by nothing that all objects have', () => {
  const labels = { mobile: 'Phone' }
  assert.equal(ownText(labels, 'mobile'), 'Phone')
  for (const label of ['constructor', '__proto__', 'toString'])
    assert.equal(ownText(labels, label), label)
})

test('an action is read as words, with the spelling of API', () => {
  assert.equal(readAction('webhook.secret_viewed'), 'Webhook secret viewed')
  assert.equal(readAction('api_key.created'), 'API key created')
})
