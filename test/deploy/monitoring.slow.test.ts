import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { databasesToMigrate } from '../support/engines.ts'
import { freshDataDir, startProgram } from '../support/program.ts'

const DEPLOY = join(import.meta.dirname, '../../deploy')
const SUFFIX = /_(bucket|count|sum)$/

/** The expressions of a file of rules in the form of deploy/alerts.yml: one line each. */
function readRules(): { alert: string; expr: string }[] {
  const text = readFileSync(join(DEPLOY, 'alerts.yml'), 'utf8')
  return Array.from(text.matchAll(/- alert: (\w+)\n {8}expr: (.+)/g), ([, alert, expr]) => ({
    alert: alert!,
    expr: expr!,
  }))
}

function readPanels(): { title: string; exprs: string[] }[] {
  const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana.json'), 'utf8')) as {
    panels: { title: string; targets: { expr: string }[] }[]
  }
  return panels.map(({ title, targets }) => ({ title, exprs: targets.map(({ expr }) => expr) }))
}

const metricsIn = (expr: string) => expr.match(/\bsignpost_\w+/g) ?? []

test('every metric that an alert or a panel names is one of the server', async (t) => {
  const { postgresUrl, clickhouseUrl } = await databasesToMigrate(t)
  const databases = { DATABASE_URL: postgresUrl, CLICKHOUSE_URL: clickhouseUrl }
  const { origin } = await startProgram(t, freshDataDir(t), databases)
  const text = await (await fetch(`${origin}/metrics`)).text()
  const known = new Set(Array.from(text.matchAll(/^# TYPE (\S+)/gm), ([, name]) => name))
  const rules = readRules()
  const panels = readPanels()
  assert.ok(rules.length >= 8 && panels.length >= 10)
  const named = [...rules.map(({ expr }) => expr), ...panels.flatMap(({ exprs }) => exprs)]
  for (const expr of named) {
    const metrics = metricsIn(expr)
    assert.ok(metrics.length > 0, expr)
    for (const name of metrics)
      assert.ok(known.has(name) || known.has(name.replace(SUFFIX, '')), `${name} in ${expr}`)
  }
  assert.match(text, /^signpost_build_info\{.*role="all"\} 1$/m)
  assert.match(text, /^signpost_check_ok\{check="postgres"\} 1$/m)
  assert.match(text, /^signpost_disk_free_bytes [1-9]/m)
})

test('parentheses and quotes of every expression are closed', () => {
  for (const { expr } of readRules()) {
    assert.equal(expr.split('(').length, expr.split(')').length, expr)
    assert.equal(expr.split('"').length % 2, 1, expr)
  }
})
