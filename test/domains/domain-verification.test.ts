import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDomainsWorld, EDGE, TARGET } from '../support/domains-world.ts'
import { HOUR_MS } from '../../src/platform/core/clock.ts'

type Row = Record<string, unknown>

test('verification of domains', { concurrency: false }, async (t) => {
  const world = await openDomainsWorld(t)
  const { dns, claim, publish, verify, freshHost, eventsOf } = world
  const typesOf = async (member: Parameters<typeof eventsOf>[0]) =>
    (await eventsOf(member)).map(({ type }) => type)
  const okOf = ({ verification }: { verification: { records: Row[] } }) =>
    verification.records.map(({ type, found, ok }) => [type, found, ok])

  await t.test('a domain with its two records is verified, once with an event', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    publish(made)
    world.clock.advance(1_000)
    const found = await verify(owner, made.id)
    const now = new Date(world.clock.now).toISOString()
    assert.partialDeepStrictEqual(found, {
      ...{ status: 'verified', failureReason: null, verifiedAt: now, lastCheckedAt: now },
      updatedAt: now,
    })
    assert.deepEqual(okOf(found), [
      ['TXT', [`signpost-verify=${made.verification.token}`], true],
      ['CNAME', [TARGET], true],
    ])
    assert.deepEqual((await owner.get(`/domains/${made.id}`)).body.data, found)
    assert.deepEqual(await eventsOf(owner), [{ type: 'domain.verified', data: found }])
    const again = await verify(owner, made.id)
    assert.deepEqual([again.status, again.verifiedAt], ['verified', now])
    assert.deepEqual(await typesOf(owner), ['domain.verified'])
    const log = (await owner.get(`/audit-log?targetId=${made.id}`)).body.data
    assert.deepEqual(
      log.map(({ action }: Row) => action),
      ['domain.verified', 'domain.created'],
    )
    const [told] = await world.sql`select from link_changes where key = ${`@${made.id}`}`
    assert.ok(told)
  })

  await t.test('the proof counts among many records, split, and in quotation marks', async () => {
    const owner = await world.member()
    for (const toTexts of [
      (proof: string) => [[proof.slice(0, 20), proof.slice(20)]],
      (proof: string) => [` "${proof}" `],
      (proof: string) => [...Array.from({ length: 300 }, (_, i) => `other record ${i}`), proof],
      (proof: string) => ['signpost-verify=00000000000000000000000000000000', proof],
    ]) {
      const made = await claim(owner, freshHost())
      const texts = toTexts(`signpost-verify=${made.verification.token}`)
      dns.set(`_signpost.${made.hostname}`, { texts })
      const found = await verify(owner, made.id)
      assert.equal(found.status, 'verified')
      const [proof, route] = okOf(found) as [unknown[], unknown[]]
      assert.ok((proof[1] as unknown[]).length <= 10)
      // A wrong routing record is a warning only.
      assert.deepEqual(route, ['CNAME', [], false])
    }
  })

  await t.test(
    'a route by the addresses of the target counts, and another one does not',
    async () => {
      const owner = await world.member()
      const routeOf = async (answer: Parameters<typeof dns.set>[1]) => {
        const made = await claim(owner, freshHost())
        publish(made)
        dns.set(made.hostname, answer)
        return okOf(await verify(owner, made.id))[1]!
      }
      assert.deepEqual(await routeOf({ addresses: [EDGE] }), ['CNAME', [EDGE], true])
      const other = ['198.51.100.99', EDGE]
      assert.deepEqual(await routeOf({ addresses: other }), ['CNAME', other, false])
      assert.deepEqual(await routeOf({ cname: ['other.test'], addresses: ['198.51.100.9'] }), [
        ...['CNAME', ['other.test']],
        false,
      ])
    },
  )

  await t.test('a registrable domain gets the addresses of the target', async () => {
    const owner = await world.member()
    const made = await claim(owner, 'apex-of-a-zone.test')
    assert.deepEqual(
      made.verification.records.map(({ type, name, value }: Row) => [type, name, value]),
      [
        [...['TXT', '_signpost.apex-of-a-zone.test'], `signpost-verify=${made.verification.token}`],
        ['A', 'apex-of-a-zone.test', EDGE],
      ],
    )
    publish(made)
    assert.deepEqual(okOf(await verify(owner, made.id))[1], ['A', [EDGE], true])
  })

  await t.test('each way to fail has its reason, and each request its event', async () => {
    const owner = await world.member()
    const reasonOf = async (prepare: (hostname: string) => void) => {
      const made = await claim(owner, freshHost())
      prepare(made.hostname)
      const { status, failureReason, verifiedAt } = await verify(owner, made.id)
      assert.deepEqual([status, verifiedAt], ['failed', null])
      return failureReason
    }
    const zoneOf = (hostname: string) => hostname.split('.').slice(1).join('.')
    const proofOf = (hostname: string) => `_signpost.${hostname}`
    assert.equal(await reasonOf(() => {}), 'not_found')
    assert.equal(await reasonOf((host) => dns.set(zoneOf(host), {})), 'not_configured')
    assert.equal(await reasonOf((host) => dns.set(host, { addresses: [EDGE] })), 'not_configured')
    assert.equal(
      await reasonOf((host) => dns.set(proofOf(host), { texts: ['v=spf1 -all'] })),
      'not_configured',
    )
    assert.equal(
      await reasonOf((host) => dns.set(proofOf(host), { texts: ['signpost-verify=0123'] })),
      'token_mismatch',
    )
    assert.equal(
      await reasonOf((host) => dns.set(proofOf(host), { rcode: 'SERVFAIL' })),
      'lookup_error',
    )
    assert.equal(await reasonOf((host) => dns.set(proofOf(host), { silent: true })), 'lookup_error')
    const events = await eventsOf(owner)
    assert.deepEqual(
      events.map(({ type, data }) => `${type} ${data.status} ${data.failureReason}`).toSorted(),
      [
        ...['lookup_error', 'lookup_error', 'not_configured', 'not_configured', 'not_configured'],
        ...['not_found', 'token_mismatch'],
      ].map((reason) => `domain.failed failed ${reason}`),
    )
    const made = await claim(owner, freshHost())
    for (let i = 0; i < 3; i++) await verify(owner, made.id)
    assert.equal((await eventsOf(owner)).filter(({ data }) => data.id === made.id).length, 3)
  })

  await t.test('a host that only points here is not verified', async () => {
    const [owner, stranger] = [await world.member(), await world.member()]
    const hostname = freshHost()
    publish(await claim(owner, hostname))
    const { id } = await claim(stranger, hostname)
    const { status, failureReason } = await verify(stranger, id)
    assert.deepEqual([status, failureReason], ['failed', 'token_mismatch'])
  })

  await t.test('of several claims that are proved at once, one holds the host', async () => {
    const members = await Promise.all(Array.from({ length: 5 }, () => world.member()))
    const hostname = freshHost()
    const claims = await Promise.all(members.map((member) => claim(member, hostname)))
    dns.set(`_signpost.${hostname}`, {
      texts: claims.map(({ verification }) => `signpost-verify=${verification.token}`),
    })
    const found = await Promise.all(members.map((member, i) => verify(member, claims[i]!.id)))
    const statuses = found.map(({ status, failureReason }) => `${status} ${failureReason}`)
    assert.deepEqual(statuses.toSorted(), [
      ...Array.from({ length: 4 }, () => 'failed conflicting_records'),
      'verified null',
    ])
    for (const [i, member] of members.entries())
      assert.deepEqual(await typesOf(member), [
        found[i]!.status === 'verified' ? 'domain.verified' : 'domain.failed',
      ])
    const winner = found.findIndex(({ status }) => status === 'verified')
    const second = winner === 0 ? 1 : 0
    await members[winner]!.delete(`/domains/${claims[winner]!.id}`)
    assert.equal((await verify(members[second]!, claims[second]!.id)).status, 'verified')
  })

  await t.test('checks on request are bounded for a domain and for a workspace', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    const statuses: number[] = []
    for (let i = 0; i < 12; i++)
      statuses.push((await owner.post(`/domains/${made.id}/verify`)).status)
    assert.deepEqual(statuses, [...Array.from({ length: 10 }, () => 200), 429, 429])
    const asked = dns.questions.length
    const { body } = await owner.post(`/domains/${made.id}/verify`)
    assert.equal(body.error.code, 'RATE_LIMITED')
    assert.equal(dns.questions.length, asked)
    const others: number[] = []
    for (let i = 0; i < 6; i++) {
      const { id } = await claim(owner, freshHost())
      for (let k = 0; k < 10; k++) others.push((await owner.post(`/domains/${id}/verify`)).status)
    }
    assert.equal(others.filter((status) => status === 200).length, 60 - 13)
  })

  await t.test('a plan without domains verifies none', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    publish(made)
    await world.sql`update workspaces set plan = 'gone' where id = ${owner.workspaceId}`
    const refused = await owner.post(`/domains/${made.id}/verify`)
    assert.deepEqual([refused.status, refused.body.error.code], [403, 'PLAN_CAPABILITY_REQUIRED'])
  })

  await t.test('a request with an Idempotency-Key looks once', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    const headers = {
      ...{ authorization: `Bearer ${owner.apiKey}`, 'idempotency-key': 'once' },
    }
    const ask = () => world.call('POST', `/v1/domains/${made.id}/verify`, { headers })
    const [first, second] = [await ask(), await ask()]
    assert.deepEqual([first.status, second.status], [200, 200])
    assert.deepEqual(second.body.data, first.body.data)
    assert.equal((await eventsOf(owner)).length, 1)
  })

  await t.test('a domain that fails after its grace is the default no more', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    publish(made)
    await verify(owner, made.id)
    await owner.patch(`/domains/${made.id}`, { isDefault: true })
    dns.set(`_signpost.${made.hostname}`, {})
    const lost = await verify(owner, made.id)
    assert.deepEqual(
      [lost.status, lost.failureReason, lost.isDefault],
      ['misconfigured', 'not_configured', true],
    )
    world.clock.advance(72 * HOUR_MS)
    const failed = await verify(owner, made.id)
    assert.deepEqual([failed.status, failed.isDefault], ['failed', false])
    publish(made)
    assert.equal((await verify(owner, made.id)).status, 'verified')
  })
})
