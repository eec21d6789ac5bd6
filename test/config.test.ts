import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../src/base/errors.ts'
import { renderConfigurationDoc, renderEnvExample } from '../src/config-docs.ts'
import { readConfig, SETTINGS } from '../src/config.ts'

const ROOT = join(import.meta.dirname, '..')

test('.env.example and docs/configuration.md are what the settings table generates', () => {
  assert.equal(readFileSync(join(ROOT, '.env.example'), 'utf8'), renderEnvExample())
  assert.equal(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8'), renderConfigurationDoc())
})

test('an empty environment is a whole configuration, and an empty value is no value', () => {
  const config = readConfig({ PORT: '', HOST: ' ' })
  assert.equal(config.port, 3000)
  assert.equal(config.host, '127.0.0.1')
  assert.equal(config.clickDurability, 'write')
  assert.equal(config.databaseUrl, null)
})

const BAD: readonly [name: string, value: string][] = [
  ['SIGNPOST_ROLE', 'everything'],
  ['SERVICES_URL', 'services:3000'],
  ['INTERNAL_TOKEN', 'short'],
  ['PORT', '70000'],
  ['PORT', '80.5'],
  ['PORT', 'http'],
  ['PUBLIC_URL', 'links.example.com'],
  ['PUBLIC_URL', 'https://links.example.com/path'],
  ['PUBLIC_URL', 'https://user@links.example.com'],
  ['DATABASE_URL', 'mysql://localhost/x'],
  ['CLICKHOUSE_URL', 'localhost:8123'],
  ['CLICKHOUSE_ENGINE', 'MergeTree; drop table clicks'],
  ['CLICKHOUSE_ENGINE', 'ReplacingMergeTree'],
  ['SECRET_KEY', 'short'],
  ['CLICK_DURABILITY', 'maybe'],
  ['CLICK_JOURNAL_FAILURE', 'drop'],
  ['METRICS_TOKEN', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['CORS_ORIGINS', 'https://a.example, b.example'],
]

for (const [name, value] of BAD) {
  test(`${name}=${value} is refused in one sentence that names the variable`, () => {
    assert.throws(
      () => readConfig({ [name]: value }),
      (error) =>
        error instanceof OperatorError &&
        /^[A-Z_]+ must be .+\.$/.test(error.message) &&
        error.message.startsWith(name),
    )
  })
}

test('a refused secret is not repeated in the sentence', () => {
  for (const row of Object.values(SETTINGS).filter((setting) => 'secret' in setting)) {
    try {
      readConfig({ [row.name]: 'canary' })
    } catch (error) {
      assert.doesNotMatch((error as Error).message, /canary/)
    }
  }
})
