import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { createSecrets } from '../../../src/platform/core/secrets.ts'
import { TlsStore } from '../../../src/domains/tls/store.ts'
import { freshPostgres } from '../../support/engines.ts'
import { addDomain, addMembership, addUser, addWorkspace } from '../../support/fixtures.ts'
import { asSystem } from '../../support/privileges.ts'
import { DAY_MS, HOUR_MS } from '../../../src/platform/core/clock.ts'

const OWN = 'links.example.com'
const DIRECTORY = 'https://ca.example/directory'

/** A store without an authority: each claimed host is ordered, and refused or issued at once. */
async function openStage(t: TestContext) {
  const { sql } = await freshPostgres(t)
  const time = { nowMs: Date.now() }
  const store = new TlsStore({
    sql: asSystem(sql),
    secrets: createSecrets('a secret key of a test'),
    clock: () => time.nowMs,
    directory: DIRECTORY,
    holder: 'edge',
    ownHosts: [OWN],
  })

  /** Hosts of one user, in workspaces of 50. */
  async function addOwner(hostnames: string[]): Promise<void> {
    const { id: userId } = await addUser(sql)
    for (let i = 0; i < hostnames.length; i += 50) {
      const workspaceId = await addWorkspace(sql)
      await addMembership(sql, { workspaceId, userId })
      for (const hostname of hostnames.slice(i, i + 50))
        await addDomain(sql, { workspaceId, hostname })
    }
  }

  /** @returns the hosts that were ordered, in their order */
  async function orderDue(outcome: 'issued' | 'failed' = 'issued'): Promise<string[]> {
    await store.addHosts()
    const ordered: string[] = []
    for (let due = await store.claim(); due !== null; due = await store.claim()) {
      const { hostname } = due
      ordered.push(hostname)
      await store.saveOrder(hostname, { url: 'https://ca.example/order', key: 'key' })
      const challenge = 'http-01' as const
      const laterMs = (ms: number) => new Date(time.nowMs + ms)
      if (outcome === 'issued') {
        const [notBeforeMs, notAfterMs] = [time.nowMs, time.nowMs + 90 * DAY_MS]
        const issued = { chain: 'chain', key: 'key', notBeforeMs, notAfterMs }
        await store.saveCertificate(hostname, issued, { renewAt: laterMs(60 * DAY_MS), challenge })
      } else {
        const failure = { message: 'no', challenge, isOver: true, reason: 'dns' as const }
        await store.saveFailure(hostname, { ...failure, nextAt: laterMs(HOUR_MS / 6) })
      }
      time.nowMs += 1
    }
    return ordered
  }

  const sslOf = async (hostname: string) => {
    const [row] = await sql<
      { sslStatus: string; sslFailureReason: string | null; sslNextAttemptAt: Date | null }[]
    >`
      select ssl_status, ssl_failure_reason, ssl_next_attempt_at from domains where hostname = ${hostname}`
    const { sslStatus, sslFailureReason, sslNextAttemptAt } = row!
    return [sslStatus, sslFailureReason, sslNextAttemptAt?.getTime() ?? 0] as const
  }
  return { sql, time, addOwner, orderDue, sslOf }
}

/** @param perZone hosts of one registrable domain */
function hosts(count: number, name: string, perZone = 10): string[] {
  return Array.from({ length: count }, (_, i) => `h${i}.${name}${Math.floor(i / perZone)}.com`)
}

test('one account orders 50 certificates in three hours, and its domains say when it goes on', async (t) => {
  const { sql, time, addOwner, orderDue, sslOf } = await openStage(t)
  const startMs = time.nowMs
  const many = hosts(120, 'many')
  await addOwner(many)
  await addOwner(['only.example.org'])
  const first = await orderDue()
  assert.deepEqual([first.length, first[0]], [52, OWN])
  assert.ok(first.includes('only.example.org'))
  const left = many.filter((hostname) => !first.includes(hostname))
  const freeAtMs = startMs + 3 * HOUR_MS
  const [status, reason, nextAtMs] = await sslOf(left[0]!)
  assert.deepEqual([status, reason], ['pending', 'share_used'])
  assert.ok(nextAtMs >= freeAtMs && nextAtMs <= freeAtMs + 60, `${nextAtMs - freeAtMs} ms`)
  // Other names in place of the first ones are no way around.
  await sql`delete from domains where hostname like 'h%'`
  await addOwner(['unused.example.net'])
  const [{ id }] = await sql<[{ id: string }]>`
    select w.id from workspaces w join members m on m.workspace_id = w.id
    order by w.created_at limit 1`
  for (const hostname of hosts(60, 'again')) await addDomain(sql, { workspaceId: id, hostname })
  time.nowMs += 2 * HOUR_MS
  assert.deepEqual(await orderDue(), ['unused.example.net'])
  time.nowMs += HOUR_MS
  assert.equal((await orderDue()).length, 50)
})

test('repeated orders of hosts that fail count as well', async (t) => {
  const { time, addOwner, orderDue, sslOf } = await openStage(t)
  await addOwner(hosts(20, 'wrong'))
  const counts = []
  for (let i = 0; i < 4; i++) {
    counts.push((await orderDue('failed')).length)
    time.nowMs += HOUR_MS / 6
  }
  assert.deepEqual(counts, [21, 21, 11, 1], 'with that of the own host each time')
  const [status, reason, nextAtMs] = await sslOf('h0.wrong0.com')
  assert.deepEqual([status, reason], ['failed', 'dns'])
  assert.ok(nextAtMs > time.nowMs + 2 * HOUR_MS)
})

test('the hosts of a registrable domain have 40 orders in a week, whoever owns them', async (t) => {
  const { time, addOwner, orderDue, sslOf } = await openStage(t)
  await addOwner(hosts(30, 'shared', 30))
  await addOwner(hosts(30, 'shared', 30).map((hostname) => `b.${hostname}`))
  await addOwner(['h.else.com'])
  const first = await orderDue()
  assert.equal(first.filter((hostname) => hostname.endsWith('.shared0.com')).length, 40)
  assert.ok(first.includes('h.else.com'))
  const left = hosts(30, 'shared', 30).find((hostname) => !first.includes(hostname))!
  const [status, reason, nextAtMs] = await sslOf(left)
  assert.deepEqual([status, reason], ['pending', 'share_used'])
  assert.ok(nextAtMs > time.nowMs + 6 * DAY_MS)
  time.nowMs += 7 * DAY_MS
  assert.equal((await orderDue()).length, 20)
  assert.deepEqual(await sslOf(left), ['active', null, 0])
})

test('accounts take turns, and leave orders to renewals and the own hosts', async (t) => {
  const { sql, time, addOwner, orderDue } = await openStage(t)
  await addOwner(hosts(5, 'former'))
  assert.equal((await orderDue()).length, 6)
  time.nowMs += DAY_MS
  for (const name of ['a', 'b', 'c', 'd', 'e']) await addOwner(hosts(60, name))
  await sql`update tls_certificates set next_attempt_at = ${new Date(time.nowMs + 1)}`
  const ordered = await orderDue()
  const of = (name: string) =>
    ordered.filter((hostname) => new RegExp(`^h\\d+\\.${name}\\d`).test(hostname)).length
  assert.deepEqual(['a', 'b', 'c', 'd', 'e'].map(of), [40, 40, 40, 40, 40])
  assert.equal(ordered.length, 200 + 6)
  const later = new Date(time.nowMs)
  await sql`update tls_certificates set next_attempt_at = ${later} where chain is not null`
  await addOwner(['new.example.org'])
  const renewed = await orderDue()
  assert.ok(renewed.includes(OWN) && renewed.includes('h0.former0.com'))
  assert.ok(!renewed.includes('new.example.org'))
  time.nowMs += 3 * HOUR_MS
  assert.equal((await orderDue())[0], 'new.example.org')
})
