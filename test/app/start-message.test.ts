import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hintsFor } from '../../src/app/start-message.ts'
import { readConfig } from '../../src/platform/config/config.ts'

test('the start message recommends a host for short links while they share that of the API', () => {
  const named = (env: Record<string, string>) =>
    hintsFor(readConfig(env)).map((hint) => /set (\w+)/.exec(hint)?.[1])
  const PUBLIC_URL = 'https://app.example'
  assert.deepEqual(named({}), [])
  assert.deepEqual(named({ HOST: '0.0.0.0' }), ['PUBLIC_URL', 'SHORT_URL'])
  assert.deepEqual(named({ PUBLIC_URL }), ['SHORT_URL'])
  assert.deepEqual(named({ PUBLIC_URL, SHORT_URL: 'https://app.example:8443' }), ['SHORT_URL'])
  assert.deepEqual(named({ PUBLIC_URL, SHORT_URL: 'https://s.example' }), [])
  assert.deepEqual(named({ PUBLIC_URL, SIGNPOST_ROLE: 'edge' }), ['SHORT_URL'])
  assert.deepEqual(named({ PUBLIC_URL, SIGNPOST_ROLE: 'gateway' }), [])
})

test('the start message recommends to name the cluster of a replicated engine', () => {
  const hints = (env: Record<string, string>) =>
    hintsFor(readConfig({ CLICKHOUSE_ENGINE: 'ReplicatedMergeTree', ...env })).join()
  assert.match(hints({}), /set CLICKHOUSE_CLUSTER/)
  assert.doesNotMatch(hints({ CLICKHOUSE_CLUSTER: 'replicas' }), /CLICKHOUSE_CLUSTER/)
})
