import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { SETTINGS } from '../../src/platform/config/config.ts'
import { EVENT_TYPES } from '../../src/webhooks/events.ts'

const docs = join(import.meta.dirname, '../../docs')
const page = readFileSync(join(docs, 'webhooks.md'), 'utf8')

test('the verifiers in docs/webhooks.md are those that the tests run, byte for byte', () => {
  const verifiers = readdirSync(join(docs, 'examples')).filter((name) => name.startsWith('verify.'))
  assert.equal(verifiers.length, 5)
  for (const name of verifiers) {
    const text = readFileSync(join(docs, 'examples', name), 'utf8')
    assert.ok(page.includes(`\n${text}\`\`\`\n`), name)
  }
})

test('docs/webhooks.md names every event type, and only settings that exist', () => {
  for (const type of EVENT_TYPES) assert.ok(page.includes(`\`${type}\``), type)
  const names = new Set(Object.values(SETTINGS).map((row) => row.name))
  const named = page.match(/\b(WEBHOOK|EGRESS|DNS)_[A-Z_]+\b/g)!
  for (const name of named) assert.ok(names.has(name), name)
})
