import assert from 'node:assert/strict'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { openLog } from '../../src/platform/core/log.ts'
import type { LinkFacts } from '../../src/decision/link.ts'
import { Snapshot, type SnapshotDeps } from '../../src/redirect/links/snapshot.ts'
import { freshFolder } from '../support/fixtures.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

const DOCS: LinkFacts = {
  id: 'lnk_1',
  workspaceId: 'wrk_1',
  domainId: '',
  slug: 'docs',
  destination: 'https://example.com/docs',
  status: 'active',
  redirectType: 302,
  expiresAtMs: null,
  utm: ['', '', '', '', ''],
  options: null,
  passwordHash: null,
}

function openFile(t: TestContext) {
  const file = join(freshFolder(), 'edge-snapshot.sqlite')
  const clock = { now: Date.now() }
  const lines: string[] = []
  const log = openLog('warn', { write: (line) => void lines.push(line) })
  const open = (options: Partial<SnapshotDeps> = {}) => {
    const snapshot = new Snapshot({
      file,
      maxAgeMs: 24 * HOUR_MS,
      clock: () => clock.now,
      log,
      ...options,
    })
    t.after(() => snapshot.close())
    return snapshot
  }
  return { file, clock, lines, open }
}

test('links, domains and certificates are there after a restart, and are for the owner of the file alone', (t) => {
  const { file, open } = openFile(t)
  const first = open()
  assert.equal(first.isEmpty(), true)
  first.beginSession()
  first.keepLink('\ndocs', DOCS)
  first.keepDomains(new Map([['dom_1', { id: 'dom_1', hostname: 'go.example.com' }]]))
  first.keepCertificate('go.example.com', { chain: 'PEM', keySealed: Buffer.from([0, 255, 7]) })
  first.close()
  const again = open()
  assert.equal(again.isEmpty(), false)
  assert.deepEqual(again.findLink('\ndocs')?.facts, DOCS)
  assert.equal(again.findLink('\nother'), null)
  assert.deepEqual(again.findDomains(), [{ id: 'dom_1', hostname: 'go.example.com' }])
  const { chain, keySealed } = again.findCertificate('go.example.com')!
  assert.deepEqual([chain, [...keySealed]], ['PEM', [0, 255, 7]])
  assert.equal(statSync(file).mode & 0o077, 0)
})

test('what has changed is forgotten: a link, those of a workspace, those of a domain', (t) => {
  const { open } = openFile(t)
  const snapshot = open()
  snapshot.beginSession()
  snapshot.keepLink('\ndocs', DOCS)
  snapshot.keepLink('\nkept', { ...DOCS, workspaceId: 'wrk_2' })
  snapshot.forgetLink('\ndocs')
  assert.equal(snapshot.findLink('\ndocs'), null)
  snapshot.keepLink('\ndocs', DOCS)
  snapshot.forgetWorkspace('wrk_1')
  assert.equal(snapshot.findLink('\ndocs'), null)
  snapshot.keepLink('dom_1\nhere', { ...DOCS, domainId: 'dom_1' })
  snapshot.keepLink('dom_12\nthere', { ...DOCS, domainId: 'dom_12' })
  snapshot.changeDomain('dom_1', { id: 'dom_1' })
  assert.equal(snapshot.findLink('dom_1\nhere'), null)
  assert.ok(snapshot.findLink('dom_12\nthere'))
  assert.ok(snapshot.findLink('\nkept'))
  assert.deepEqual(snapshot.findDomains(), [{ id: 'dom_1' }])
  snapshot.changeDomain('dom_1', null)
  assert.deepEqual(snapshot.findDomains(), [])
})

test('an entry is as old as the last confirmation of its session, and too old ones are ignored', (t) => {
  const { clock, lines, open } = openFile(t)
  const first = open()
  first.beginSession()
  first.keepLink('\nold', DOCS)
  first.close()
  clock.now += 2 * HOUR_MS
  const second = open()
  second.beginSession()
  second.keepLink('\nyoung', DOCS)
  clock.now += 23 * HOUR_MS
  second.confirm()
  second.close()
  const third = open()
  assert.equal(third.findLink('\nold'), null, 'of a session that was confirmed 25 hours ago')
  assert.ok(third.findLink('\nyoung'))
  assert.deepEqual(lines, [])
  third.close()
  clock.now += 24 * HOUR_MS
  assert.equal(open().findLink('\nyoung'), null)
  assert.match(lines.join(), /too old/)
})

test('damage is ignored and logged: of an entry, and of the whole file, which begins again', (t) => {
  const { file, lines, open } = openFile(t)
  const first = open()
  first.beginSession()
  first.keepLink('\ndocs', DOCS)
  first.close()
  const database = new DatabaseSync(file)
  database.exec(`update entries set body = replace(body, 'example.com', 'exbmple.com')`)
  database.close()
  const second = open()
  assert.equal(second.findLink('\ndocs'), null)
  assert.match(lines.splice(0).join(), /damaged entry/)
  second.close()
  const bytes = readFileSync(file)
  writeFileSync(file, bytes.fill(7, 0, 4_096))
  const third = open()
  assert.match(lines.splice(0).join(), /damaged and is ignored/)
  third.beginSession()
  third.keepLink('\ndocs', DOCS)
  assert.ok(third.findLink('\ndocs'))
})

test('the file has a limit, at which the oldest links make room', (t) => {
  const maxBytes = 8 * 1024 * 1024
  const { file, lines, open } = openFile(t)
  const snapshot = open({ maxBytes })
  snapshot.beginSession()
  const destination = `https://example.com/${'x'.repeat(4_000)}`
  for (let i = 0; i < 4_000; i++) snapshot.keepLink(`\n${i}`, { ...DOCS, destination })
  assert.ok(snapshot.findLink('\n3999'))
  assert.equal(snapshot.findLink('\n0'), null)
  assert.ok(statSync(file).size <= maxBytes)
  assert.deepEqual(lines, [])
})

test('a snapshot without an entry reads that of another process, which stays as it is', (t) => {
  const { file, clock, lines, open } = openFile(t)
  const other = open()
  other.beginSession()
  other.keepLink('\ndocs', DOCS)
  other.keepLink('\nboth', { ...DOCS, slug: 'other' })
  other.keepDomains(new Map([['dom_1', { id: 'dom_1' }]]))
  other.keepCertificate('go.example.com', { chain: 'PEM', keySealed: Buffer.from([7]) })
  assert.equal(other.isEmpty(), false)
  const fallback = open({ isReadOnly: true })
  const own = open({ file: `${file}-2`, fallback })
  own.beginSession()
  own.keepLink('\nboth', { ...DOCS, slug: 'own' })
  assert.deepEqual(own.findLink('\ndocs'), other.findLink('\ndocs'))
  assert.equal(own.findLink('\nboth')?.facts.slug, 'own')
  assert.deepEqual(own.findDomains(), [{ id: 'dom_1' }])
  assert.equal(own.findCertificate('go.example.com')?.chain, 'PEM')
  other.forgetLink('\ndocs')
  assert.equal(other.findLink('\ndocs'), null)
  assert.equal(own.findLink('\ndocs'), null)
  clock.now += 24 * HOUR_MS
  assert.deepEqual(own.findDomains(), [], 'too old for both')
  for (const snapshot of [own, fallback, other]) snapshot.close()
  writeFileSync(file, readFileSync(file).fill(7, 0, 4_096))
  const damaged = readFileSync(file)
  assert.equal(open({ isReadOnly: true }).findLink('\nboth'), null)
  assert.deepEqual(readFileSync(file), damaged)
  assert.match(lines.join(), /damaged and is ignored/)
})
