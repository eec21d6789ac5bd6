import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ERRORS } from '../../src/platform/core/errors.ts'
import { AUDIT_ACTIONS } from '../../src/platform/audit/audit.ts'

const docs = join(import.meta.dirname, '../../docs')
const api = readFileSync(join(docs, 'api.md'), 'utf8')
const errorRows = api.split('\n').filter((line) => /^\| \d{3}/.test(line))

test('docs/api.md has every error code in a row with its status', () => {
  for (const [code, [status]] of Object.entries(ERRORS)) {
    const row = errorRows.find((line) => line.includes(`\`${code}\``))
    assert.ok(row?.split('|')[1]!.includes(String(status)), code)
  }
})

test('docs/accounts.md names every action of the audit log', () => {
  const page = readFileSync(join(docs, 'accounts.md'), 'utf8')
  assert.deepEqual(
    AUDIT_ACTIONS.filter((action) => !page.includes(`\`${action}\``)),
    [],
  )
})

test('docs/api.md says which answer an invitation that is over gets', () => {
  const rowOf = (code: string) => errorRows.find((line) => line.includes(`\`${code}\``))!
  assert.match(rowOf('CONFLICT'), /an invitation that was accepted before/)
  assert.match(rowOf('GONE'), /an invitation that was canceled or rejected, or has expired/)
})
