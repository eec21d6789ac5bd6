import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toNextCheck } from '../../src/domains/domains/outcome.ts'
import { eventually } from '../support/world.ts'
import { openDomainsWorld } from '../support/domains-world.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/core/clock.ts'

test('checks without a request', { concurrency: false }, async (t) => {
  const secretKey = 'a'.repeat(64)
  const world = await openDomainsWorld(t, { secretKey })
  const { dns, claim, publish, verify, freshHost, eventsOf } = world
  type Member = Parameters<typeof eventsOf>[0]
  const read = async (member: Member, id: string) => (await member.get(`/domains/${id}`)).body.data
  /** Waits for the check of a domain that becomes due after this time. */
  const checkedAfter = async (member: Member, id: string, ms: number) => {
    world.clock.advance(ms)
    const now = new Date(world.clock.now).toISOString()
    await eventually(async () => assert.equal((await read(member, id)).lastCheckedAt, now))
    return read(member, id)
  }
  const told = async (member: Member) =>
    (await eventsOf(member)).map(({ type, data }) => `${type} ${data.status} ${data.failureReason}`)

  await t.test(
    'a claim is checked after ten minutes, and verified when its records appear',
    async () => {
      const owner = await world.member()
      const made = await claim(owner, freshHost())
      const first = await checkedAfter(owner, made.id, 11 * MINUTE_MS)
      assert.deepEqual([first.status, first.failureReason], ['pending', 'not_found'])
      await checkedAfter(owner, made.id, 11 * MINUTE_MS)
      dns.set(made.hostname, {})
      const second = await checkedAfter(owner, made.id, 11 * MINUTE_MS)
      assert.deepEqual([second.status, second.failureReason], ['pending', 'not_configured'])
      publish(made)
      assert.equal((await checkedAfter(owner, made.id, 11 * MINUTE_MS)).status, 'verified')
      // The check that changed nothing is not told.
      assert.deepEqual(await told(owner), [
        'domain.failed pending not_found',
        'domain.failed pending not_configured',
        'domain.verified verified null',
      ])
      const { body } = await owner.get(`/audit-log?targetId=${made.id}&limit=1`)
      assert.deepEqual(
        [body.data[0].action, body.data[0].actor.type],
        ['domain.verified', 'system'],
      )
    },
  )

  await t.test('a claim that failed is pending after the next check, for seven days', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    const proof = `_signpost.${made.hostname}`
    dns.set(made.hostname, {})
    const check = async (ms: number) => {
      const { status, failureReason } = await checkedAfter(owner, made.id, ms)
      return [status, failureReason]
    }
    assert.equal((await verify(owner, made.id)).status, 'failed')
    assert.deepEqual(await check(11 * MINUTE_MS), ['pending', 'not_configured'])
    assert.deepEqual(await check(11 * MINUTE_MS), ['pending', 'not_configured'])
    // A record of another claim is a conflict, and name servers without an answer change nothing.
    dns.set(proof, { texts: ['signpost-verify=0123'] })
    assert.deepEqual(await check(11 * MINUTE_MS), ['failed', 'token_mismatch'])
    dns.set(proof, { rcode: 'SERVFAIL' })
    assert.deepEqual(await check(11 * MINUTE_MS), ['failed', 'lookup_error'])
    dns.set(proof, {})
    assert.deepEqual(await check(11 * MINUTE_MS), ['pending', 'not_configured'])
    dns.set(proof, { rcode: 'SERVFAIL' })
    assert.deepEqual(await check(11 * MINUTE_MS), ['pending', 'lookup_error'])
    assert.deepEqual(await check(7 * DAY_MS), ['failed', 'lookup_error'])
    dns.set(proof, {})
    assert.deepEqual(await check(1.2 * DAY_MS), ['failed', 'not_configured'])
    assert.deepEqual(await told(owner), [
      'domain.failed failed not_configured',
      'domain.failed failed token_mismatch',
      'domain.failed failed lookup_error',
      'domain.failed pending not_configured',
      'domain.failed pending lookup_error',
      'domain.failed failed lookup_error',
      'domain.failed failed not_configured',
    ])
  })

  await t.test('a verified domain without its proof is served for 72 hours', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    publish(made)
    await verify(owner, made.id)
    dns.set(`_signpost.${made.hostname}`, { rcode: 'SERVFAIL' })
    const unsure = await checkedAfter(owner, made.id, 1.2 * DAY_MS)
    assert.deepEqual([unsure.status, unsure.failureReason], ['verified', 'lookup_error'])
    dns.set(`_signpost.${made.hostname}`, {})
    await world.sql`update domains set ssl_status = 'active' where id = ${made.id}`
    const lost = await checkedAfter(owner, made.id, 2 * HOUR_MS)
    assert.deepEqual([lost.status, lost.failureReason], ['misconfigured', 'not_configured'])
    publish(made)
    assert.equal((await checkedAfter(owner, made.id, 2 * HOUR_MS)).status, 'verified')
    dns.set(`_signpost.${made.hostname}`, {})
    await checkedAfter(owner, made.id, 1.2 * DAY_MS)
    const late = await checkedAfter(owner, made.id, 71 * HOUR_MS)
    assert.deepEqual([late.status, late.sslStatus], ['misconfigured', 'active'])
    const over = await checkedAfter(owner, made.id, 2 * HOUR_MS)
    // Another certificate is ordered when it is verified again.
    assert.deepEqual([over.status, over.sslStatus], ['failed', 'none'])
    assert.deepEqual(await told(owner), [
      'domain.verified verified null',
      'domain.failed verified lookup_error',
      'domain.failed misconfigured not_configured',
      'domain.verified verified null',
      'domain.failed misconfigured not_configured',
      'domain.failed failed not_configured',
    ])
  })

  await t.test('two workers check each domain once', async (own) => {
    const config = { secretKey, ...world.urls, dnsServers: [dns.address] }
    const other = await openDomainsWorld(own, config)
    other.clock.now = world.clock.now
    const owner = await world.member()
    const made = []
    for (let i = 0; i < 60; i++) made.push(await claim(owner, freshHost()))
    for (const { clock } of [world, other]) clock.advance(11 * MINUTE_MS)
    await eventually(async () => {
      const { data } = (await owner.get('/domains?limit=100')).body
      const checked = data.filter((row: { lastCheckedAt: string | null }) => row.lastCheckedAt)
      assert.equal(checked.length, 60)
    })
    for (const { hostname } of made) {
      const asked = dns.questions.filter((question) => question === `TXT _signpost.${hostname}`)
      assert.equal(asked.length, 1, hostname)
    }
    await eventually(async () => assert.equal((await eventsOf(owner)).length, 60))
  })

  await t.test(
    'slow name servers of one workspace do not delay the domains of another',
    async () => {
      const [slow, quick] = [await world.member(), await world.member()]
      for (let i = 0; i < 50; i++) {
        const { hostname } = await claim(slow, freshHost())
        dns.set(`_signpost.${hostname}`, { silent: true })
      }
      const made = await claim(quick, freshHost())
      publish(made)
      await checkedAfter(quick, made.id, 11 * MINUTE_MS)
      const { data } = (await slow.get('/domains?limit=100')).body
      const waiting = data.filter((row: { lastCheckedAt: string | null }) => !row.lastCheckedAt)
      assert.ok(waiting.length >= 40, `${waiting.length} wait`)
    },
  )
})

test('the time of the next check follows from the status', () => {
  const now = Date.parse('2026-06-01T00:00:00Z')
  const young = new Date(now - 6 * DAY_MS)
  const old = new Date(now - 8 * DAY_MS)
  const base = { failureReason: null, createdAt: old, verifiedAt: null } as const
  const pauseOf = (row: object, chance: number) =>
    toNextCheck({ ...base, status: 'failed', ...row }, now, chance).getTime() - now
  const both = (row: object) => [0, 1].map((chance) => Math.round(pauseOf(row, chance) / 1_000))
  const ofMs = (ms: number) => [(0.9 * ms) / 1_000, (1.1 * ms) / 1_000].map(Math.round)
  assert.deepEqual(both({ createdAt: young }), ofMs(10 * MINUTE_MS))
  assert.deepEqual(both({ createdAt: young, status: 'pending' }), ofMs(10 * MINUTE_MS))
  assert.deepEqual(both({}), ofMs(DAY_MS))
  assert.deepEqual(both({ verifiedAt: young }), ofMs(10 * MINUTE_MS))
  assert.deepEqual(both({ status: 'verified' }), ofMs(DAY_MS))
  assert.deepEqual(both({ status: 'verified', failureReason: 'lookup_error' }), ofMs(HOUR_MS))
  assert.deepEqual(both({ status: 'misconfigured' }), ofMs(HOUR_MS))
})
