import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { OperatorError } from '../../../src/platform/core/errors.ts'
import { renderCommandsDoc } from '../../../src/operator/command-line/help.ts'
import { PAGES_WITH_TABLES, writeTables } from '../../../src/operator/command-line/docs.ts'
import {
  renderConfigurationDoc,
  renderEnvExample,
  renderLimitsDoc,
} from '../../../src/platform/config/docs.ts'
import { readConfig, SETTINGS } from '../../../src/platform/config/config.ts'
import { describeUnknown } from '../../../src/platform/config/checkout.ts'

const ROOT = join(import.meta.dirname, '../../..')

test('the tables of plans, scopes and events in docs/ are what the resources declare', () => {
  for (const page of PAGES_WITH_TABLES) {
    const text = readFileSync(join(ROOT, page), 'utf8')
    assert.match(text, /<!-- table: \w+ -->/)
    assert.equal(text, writeTables(text), page)
  }
})

test('.env.example and docs/configuration.md are what the settings table generates', () => {
  assert.equal(readFileSync(join(ROOT, '.env.example'), 'utf8'), renderEnvExample())
  assert.equal(readFileSync(join(ROOT, 'docs/configuration.md'), 'utf8'), renderConfigurationDoc())
  assert.equal(readFileSync(join(ROOT, 'docs/commands.md'), 'utf8'), renderCommandsDoc())
})

test('docs/limits.md is what the tables of limits generate', () => {
  assert.equal(readFileSync(join(ROOT, 'docs/limits.md'), 'utf8'), renderLimitsDoc())
})

test('an empty environment is a whole configuration, and an empty value counts as absent', () => {
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
  ['DATABASE_URL', 'postgres://me:secret@db1:5432,db2:5432/x'],
  ['DATABASE_URL', 'postgres://db1,db2/x'],
  ['CLICKHOUSE_URL', 'localhost:8123'],
  ['CLICKHOUSE_ENGINE', 'MergeTree; drop table clicks'],
  ['CLICKHOUSE_ENGINE', 'ReplacingMergeTree'],
  ['CLICKHOUSE_CLUSTER', "a' sync"],
  ['SECRET_KEY', 'short'],
  ['CLICK_DURABILITY', 'maybe'],
  ['CLICK_JOURNAL_FAILURE', 'drop'],
  ['METRICS_TOKEN', 'short'],
  ['LOG_LEVEL', 'loud'],
  ['DEFAULT_PLAN', 'Self hosted'],
  ['STRIPE_SECRET_KEY', 'pk_test_1'],
  ['STRIPE_WEBHOOK_SECRET', 'secret'],
  ['SMTP_URL', 'mail.example.com:587'],
  ['SMTP_URL', 'https://mail.example.com'],
  ['SMTP_URL', 'smtp://user:%zz@mail.example.com'],
  ['SMTP_URL', 'smtp://mail.example.com/?tls.rejectUnauthorized=false'],
  ['MAIL_FROM', 'Signpost'],
  ['MAIL_FROM', 'a@example.com, b@example.com'],
  ['MAIL_FROM', 'A <a@example.com>\r\nBcc: b@example.com'],
  ['SIGNUP', 'yes'],
  ['REQUIRE_EMAIL_VERIFICATION', 'no'],
  ['EGRESS_ALLOWED_CIDRS', 'private'],
  ['EGRESS_ALLOWED_CIDRS', '10.0.0.0/33'],
  ['EGRESS_ALLOWED_CIDRS', '10.0.0.0/8, 169.254.169.254'],
  ['EGRESS_ALLOWED_CIDRS', '::ffff:169.254.0.0/112'],
  ['WEBHOOK_ALLOW_HTTP', 'yes'],
  ['DNS_SERVERS', 'dns.example.com'],
  ['DNS_SERVERS', '10.0.0.2:70000'],
  ['DNS_SERVERS', '[10.0.0.2]:53'],
  ['CORS_ORIGINS', 'https://a.example, b.example'],
  ['CLICK_RETENTION_DAYS', '30'],
  ['CLICK_RETENTION_DAYS', 'forever'],
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

test('what webhooks may call reads as lists, in every spelling of a server', () => {
  const config = readConfig({
    EGRESS_ALLOWED_CIDRS: '127.0.0.1, 10.0.0.0/8,fc00::/7',
    WEBHOOK_ALLOW_HTTP: 'true',
    DNS_SERVERS: '10.0.0.2, 10.0.0.3:5353, 2001:db8::53, [2001:db8::54], [2001:db8::55]:5353',
  })
  assert.deepEqual(config.egressAllowedCidrs, ['127.0.0.1', '10.0.0.0/8', 'fc00::/7'])
  assert.equal(config.webhookAllowHttp, true)
  assert.equal(config.dnsServers.length, 5)
  assert.equal(readConfig({}).webhookAllowHttp, false)
})

test('a refused secret is not repeated in the sentence', () => {
  for (const row of Object.values(SETTINGS).filter((setting) => 'secret' in setting)) {
    try {
      readConfig({ [row.name]: 'canary' })
    } catch (error) {
      assert.doesNotMatch((error as Error).message, /canary/)
    }
  }
})

test('relative paths begin in the folder of Signpost, wherever it is started', (t) => {
  const before = process.cwd()
  t.after(() => process.chdir(before))
  process.chdir(tmpdir())
  assert.equal(readConfig({}).dataDir, join(ROOT, 'data'))
  const { dataDir, geoipDb } = readConfig({ DATA_DIR: './other', GEOIP_DB: 'a.mmdb' })
  assert.deepEqual([dataDir, geoipDb], [join(ROOT, 'other'), join(ROOT, 'a.mmdb')])
})

test('a name in .env that is no setting is named, with the setting that it may mean', () => {
  assert.deepEqual(
    describeUnknown(
      ['PUBLIC_ULR', 'PORT', 'SIGNPOST_API_KEY', 'POSTGRES_PASSWORD'],
      Object.values(SETTINGS).map(({ name }) => name),
    ),
    [
      '.env sets PUBLIC_ULR, which is no setting; did you mean PUBLIC_URL?',
      '.env sets POSTGRES_PASSWORD, which is no setting',
    ],
  )
})
