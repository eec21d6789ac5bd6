import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sign, standardHeaders } from '../../../src/webhooks/delivery/signature.ts'
import { bodyOf, vectors } from '../../support/signature-vectors.ts'

test('the published vectors are what we sign, whether the body is text or bytes', () => {
  assert.ok(vectors.accepted.length >= 15)
  for (const vector of vectors.accepted) {
    const body = bodyOf(vector)
    assert.equal(sign(vector.secret, vector.timestamp, body), vector.header, vector.name)
    assert.equal(sign(vector.secret, vector.timestamp, Buffer.from(body)), vector.header)
  }
})

test('Standard Webhooks headers verify under the secret that its libraries are given', () => {
  for (const vector of vectors.accepted) {
    const { secretForLibraries, ...expected } = vector.standardWebhooks
    const id = expected['webhook-id']!
    assert.deepEqual(standardHeaders(vector.secret, id, vector.timestamp, bodyOf(vector)), expected)
    const key = Buffer.from(secretForLibraries!.replace(/^whsec_/, ''), 'base64')
    assert.equal(key.toString(), vector.secret)
  }
})
