import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addLink } from '../support/fixtures.ts'
import { openDomainsWorld, TARGET } from '../support/domains-world.ts'

type Row = Record<string, unknown>

test('domains', { concurrency: false }, async (t) => {
  const world = await openDomainsWorld(t)
  const { claim, freshHost } = world
  const hold = (id: string) => world.sql`update domains set status = 'verified' where id = ${id}`

  await t.test('a claim has defaults, and the records to create', async () => {
    const owner = await world.member()
    const hostname = freshHost()
    const made = await claim(owner, hostname)
    const { token } = made.verification
    assert.match(token, /^[0-9a-f]{32}$/)
    const none = { found: [], ok: null }
    assert.deepEqual(made, {
      ...{ id: made.id, workspaceId: owner.workspaceId, hostname, status: 'pending' },
      ...{ isDefault: false, caseSensitive: false },
      ...{ rootRedirectUrl: null, notFoundUrl: null, expiredUrl: null },
      ...{ appleAppSiteAssociation: null, assetLinks: null, blockedUrls: [] },
      verification: {
        token,
        proofUrl: `http://${hostname}/.well-known/signpost-verify/${token}`,
        records: [
          {
            ...{ type: 'TXT', name: `_signpost.${hostname}`, value: `signpost-verify=${token}` },
            ...{ purpose: 'ownership', ...none },
          },
          { type: 'CNAME', name: hostname, value: TARGET, purpose: 'routing', ...none },
        ],
        routingNote: null,
      },
      ...{ failureReason: null, lastCheckedAt: null, verifiedAt: null, sslStatus: 'none' },
      sslFailureReason: null,
      sslNextAttemptAt: null,
      ...{ createdAt: made.createdAt, updatedAt: made.createdAt },
    })
    assert.deepEqual((await owner.get(`/domains/${made.id}`)).body.data, made)
    const other = await claim(owner, freshHost())
    assert.notEqual(other.verification.token, token)
  })

  await t.test('the host is taken out of a URL, in lower case and punycode', async () => {
    const owner = await world.member()
    for (const [given, hostname] of [
      ['https://Go.Example.com/x?y#z', 'go.example.com'],
      ['  GO.Example.ORG. ', 'go.example.org'],
      ['go.example.net:8443/a', 'go.example.net'],
      ['bücher.example.de', 'xn--bcher-kva.example.de'],
      ['faß.de', 'xn--fa-hia.de'],
      ['me.github.io', 'me.github.io'],
      ['a.b.c.example.co.uk', 'a.b.c.example.co.uk'],
      [`${'a'.repeat(63)}.example.com`, `${'a'.repeat(63)}.example.com`],
    ])
      assert.equal((await claim(owner, given!)).hostname, hostname)
    for (const [field, hostname] of [
      ['domain', 'one.example.com'],
      ['name', 'two.example.com'],
    ])
      assert.equal(
        (await owner.post('/domains', { [field!]: hostname })).body.data.hostname,
        hostname,
      )
  })

  await t.test('a name that cannot be verified is refused with its path', async () => {
    const owner = await world.member()
    const long = `${'a'.repeat(60)}.`.repeat(4)
    for (const hostname of [
      ...['', ' ', 'example', 'co.uk', 'github.io', 's3.amazonaws.com', '*.a.com', 'a.*.com'],
      ...[
        'a..com',
        '.example.com',
        'a.com..',
        '-a.example.com',
        'a-.example.com',
        'a_b.example.com',
      ],
      ...['1.2.3.4', '0x7f.1', '2130706433', '１２７.0.0.1', '[::1]', 'http://[2001:db8::1]/'],
      ...['localhost', 'a.localhost', 'user@example.com', 'https://user:pw@example.com'],
      ...['s.signpost.test', 'S.Signpost.Test', TARGET, 'https://s.signpost.test:8080/x'],
      ...['ftp://example.com', 'xn--\u00fc.example.com', 'a b.example.com', 'exa\u0000mple.com'],
      ...[`${'a'.repeat(64)}.example.com`, `${long}example.com`, `${'a'.repeat(3_000)}.com`],
    ]) {
      const { status, body } = await owner.post('/domains', { hostname })
      assert.deepEqual(
        [status, body.error?.details[0]?.path],
        [400, 'hostname'],
        `${hostname} ${JSON.stringify(body)}`,
      )
    }
    for (const body of [{}, { hostname: null }, { hostname: 7 }, { hostname: ['a.com'] }]) {
      const answer = await owner.post('/domains', body)
      assert.deepEqual([answer.status, answer.body.error.details[0].path], [400, 'hostname'])
    }
    assert.equal((await owner.get('/domains')).body.meta.total, 0)
  })

  await t.test('a host may be claimed by several workspaces until one holds it', async () => {
    const [one, two, three] = [await world.member(), await world.member(), await world.member()]
    const hostname = freshHost()
    const first = await claim(one, hostname)
    await claim(two, hostname)
    const again = await one.post('/domains', { hostname: hostname.toUpperCase() })
    assert.deepEqual([again.status, again.body.error.details[0].code], [409, 'taken'])
    assert.match(again.body.error.message, /already/)
    for (const status of ['verified', 'misconfigured']) {
      await world.sql`update domains set status = ${status} where id = ${first.id}`
      const taken = await three.post('/domains', { hostname })
      assert.deepEqual(
        [taken.status, taken.body.error.details[0]],
        [
          409,
          {
            path: 'hostname',
            message: 'Another workspace has verified this domain.',
            code: 'taken',
          },
        ],
      )
    }
    await world.sql`update domains set status = 'failed' where id = ${first.id}`
    await claim(three, hostname)
  })

  await t.test('no workspace sees the domain of another one', async () => {
    const [one, two] = [await world.member(), await world.member()]
    const made = await claim(one, freshHost())
    assert.equal((await two.get('/domains')).body.meta.total, 0)
    for (const answer of [
      await two.get(`/domains/${made.id}`),
      await two.patch(`/domains/${made.id}`, { caseSensitive: true }),
      await two.delete(`/domains/${made.id}`),
      await two.post(`/domains/${made.id}/verify`),
    ])
      assert.equal(answer.status, 403)
    assert.deepEqual((await one.get(`/domains/${made.id}`)).body.data, made)
  })

  await t.test('the list has filters and pages', async () => {
    const owner = await world.member()
    const ids: string[] = []
    for (const name of ['alpha', 'beta', 'gamma']) {
      ids.unshift((await claim(owner, `${name}.${freshHost()}`)).id)
      world.clock.advance(1_000)
    }
    await hold(ids[0]!)
    const listed = async (query: string) => {
      const { body } = await owner.get(`/domains${query}`)
      return [body.data.map(({ id }: Row) => id), body.meta.total]
    }
    assert.deepEqual(await listed(''), [ids, 3])
    assert.deepEqual(await listed('?limit=1&offset=1'), [[ids[1]], 3])
    assert.deepEqual(await listed('?search=BET'), [[ids[1]], 1])
    assert.deepEqual(await listed('?search=%25'), [[], 0])
    assert.deepEqual(await listed('?status=verified'), [[ids[0]], 1])
    assert.deepEqual(await listed('?status=pending&search=alpha'), [[ids[2]], 1])
    assert.equal((await owner.get('/domains?status=new')).status, 400)
  })

  await t.test('the settings change, are audited, and are kept', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    await hold(made.id)
    world.clock.advance(1_000)
    const fields = {
      isDefault: true,
      caseSensitive: true,
      rootRedirectUrl: 'https://example.com/',
      notFoundUrl: 'https://example.com/404',
      expiredUrl: 'https://example.com/over',
      appleAppSiteAssociation: { applinks: { details: [{ b: 1, a: 2 }] } },
      assetLinks: [{ relation: ['x'] }, 'text', 1, null],
    }
    const { status, body } = await owner.patch(`/domains/${made.id}`, fields)
    assert.equal(status, 200, JSON.stringify(body))
    assert.partialDeepStrictEqual(body.data, fields)
    assert.notEqual(body.data.updatedAt, made.updatedAt)
    assert.deepEqual((await owner.get(`/domains/${made.id}`)).body.data, body.data)
    const same = await owner.patch(`/domains/${made.id}`, fields)
    assert.equal(same.body.data.updatedAt, body.data.updatedAt)
    const cleared = { rootRedirectUrl: null, notFoundUrl: ' ', assetLinks: null, isDefault: false }
    const { data } = (await owner.patch(`/domains/${made.id}`, cleared)).body
    assert.partialDeepStrictEqual(data, {
      ...{ rootRedirectUrl: null, notFoundUrl: null, assetLinks: null, isDefault: false },
      expiredUrl: 'https://example.com/over',
    })
    const log = (await owner.get(`/audit-log?targetId=${made.id}`)).body.data
    assert.deepEqual(
      log.map(({ action }: Row) => action),
      ['domain.updated', 'domain.updated', 'domain.created'],
    )
    assert.deepEqual(log[1].changes.notFoundUrl, { old: null, new: 'https://example.com/404' })
    const created = await claim(owner, freshHost(), { caseSensitive: true, assetLinks: [] })
    assert.partialDeepStrictEqual(created, { caseSensitive: true, assetLinks: [] })
  })

  await t.test('bad settings are refused with their path', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    const long = 'x'.repeat(65_536)
    for (const [path, value] of [
      ['rootRedirectUrl', 'javascript:alert(1)'],
      ['rootRedirectUrl', `https://${made.hostname}/`],
      ['notFoundUrl', `http://${made.hostname.toUpperCase()}:8080/x`],
      ['notFoundUrl', 'https://s.signpost.test/x'],
      ['expiredUrl', 'example.com'],
      ['caseSensitive', 'yes'],
      ['isDefault', null],
      ['appleAppSiteAssociation', []],
      ['appleAppSiteAssociation', { long }],
      ['assetLinks', {}],
      ['assetLinks', [long]],
    ] as const) {
      const answer = await owner.patch(`/domains/${made.id}`, { [path]: value })
      assert.deepEqual([answer.status, answer.body.error?.details[0].path], [400, path])
    }
    assert.deepEqual((await owner.get(`/domains/${made.id}`)).body.data, made)
    const file = { appleAppSiteAssociation: { long: 'x'.repeat(65_500) } }
    assert.equal((await owner.patch(`/domains/${made.id}`, file)).status, 200)
  })

  await t.test('a change of a version that is not the present one is refused', async () => {
    const owner = await world.member()
    const made = await claim(owner, freshHost())
    const late = await world.call('PATCH', `/v1/domains/${made.id}`, {
      headers: {
        ...{ authorization: `Bearer ${owner.apiKey}`, 'content-type': 'application/json' },
        'if-match': '"2020-01-01T00:00:00.000Z"',
      },
      body: JSON.stringify({ caseSensitive: true }),
    })
    assert.equal(late.status, 412)
    assert.equal(late.body.error.details.current.id, made.id)
  })

  await t.test('one verified domain is the default, also after many requests at once', async () => {
    const owner = await world.member()
    const ids: string[] = []
    for (let i = 0; i < 4; i++) ids.push((await claim(owner, freshHost())).id)
    const refused = await owner.patch(`/domains/${ids[0]}`, { isDefault: true })
    assert.deepEqual([refused.status, refused.body.error.details[0].path], [409, 'isDefault'])
    for (const id of ids) await hold(id)
    const answers = await Promise.all(
      [...ids, ...ids].map((id) => owner.patch(`/domains/${id}`, { isDefault: true })),
    )
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    const rows = (await owner.get('/domains')).body.data
    assert.equal(rows.filter(({ isDefault }: Row) => isDefault).length, 1)
  })

  await t.test('a deleted domain is gone, and gives its slot back', async () => {
    const owner = await world.member()
    await world.sql`update workspaces set plan = 'free' where id = ${owner.workspaceId}`
    const hosts = [freshHost(), freshHost(), freshHost()]
    const made = []
    for (const host of hosts) made.push(await claim(owner, host))
    const beyond = await owner.post('/domains', { hostname: freshHost() })
    assert.deepEqual(
      [beyond.status, beyond.body.error.code, beyond.body.error.details],
      [403, 'PLAN_LIMIT_REACHED', { limit: 'domains', max: 3, used: 3 }],
    )
    assert.equal((await owner.delete(`/domains/${made[0].id}`)).status, 204)
    assert.equal((await owner.get(`/domains/${made[0].id}`)).status, 404)
    assert.equal((await owner.delete(`/domains/${made[0].id}`)).status, 404)
    await claim(owner, hosts[0]!)
    const [told] = await world.sql`select from link_changes where key = ${`@${made[0].id}`}`
    assert.ok(told)
  })

  await t.test('a domain with links is not deleted', async () => {
    const owner = await world.member()
    const { workspaceId } = owner
    const made = await claim(owner, freshHost())
    const linkId = await addLink(world.sql, { workspaceId })
    await world.sql`update links set domain_id = ${made.id} where id = ${linkId}`
    const refused = await owner.delete(`/domains/${made.id}`)
    assert.deepEqual([refused.status, refused.body.error.details[0].code], [409, 'in_use'])
    assert.equal((await owner.get(`/domains/${made.id}`)).status, 200)
    await owner.delete(`/links/${linkId}`)
    assert.equal((await owner.delete(`/domains/${made.id}`)).status, 204)
  })

  await t.test('at most a thousand domains fit in a workspace, under every plan', async () => {
    const owner = await world.member()
    await world.sql`
      insert into domains (id, workspace_id, hostname, token, records, next_check_at, created_at, updated_at)
      select 'dom_many' || i, ${owner.workspaceId}, i || '.many.test', 'x', '[]', now() + interval '1 day',
        now(), now()
      from generate_series(1, 1000) as i`
    const { status, body } = await owner.post('/domains', { hostname: freshHost() })
    assert.deepEqual([status, body.error.details.max], [403, 1_000])
  })
})
