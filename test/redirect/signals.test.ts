import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createProxyTrust } from '../../src/platform/facts/client-address.ts'
import { createNamedCountry } from '../../src/platform/facts/country.ts'
import { openEdgeWorld } from '../support/edge-world.ts'
import { makeLink } from '../support/edge-links.ts'

test('a click records the country that a trusted proxy names', async (t) => {
  for (const [proxies, expected] of [
    [['127.0.0.1'], ['FR', 'XX', '']],
    [['10.0.0.0/8'], ['', '', '']],
  ] as const) {
    const namedCountry = createNamedCountry('cf-ipcountry', createProxyTrust(proxies))
    const { sql, ask, clicks } = await openEdgeWorld(t, { edge: { namedCountry } })
    const { slug } = await makeLink(sql)
    await ask(`/${slug}`, ['CF-IPCountry: FR'])
    await ask(`/${slug}`, ['CF-IPCountry: T1'])
    await ask(`/${slug}`, ['CF-IPCountry: DE', 'CF-IPCountry: FR'])
    assert.deepEqual(
      clicks().map(({ country }) => country),
      expected,
    )
  }
})

test('rules decide by the country that a trusted proxy names, and the click records the rule', async (t) => {
  const namedCountry = createNamedCountry('cf-ipcountry', createProxyTrust(['127.0.0.1']))
  const { sql, ask, clicks } = await openEdgeWorld(t, { edge: { namedCountry } })
  const rule = { id: 'rul_fr', name: 'France', enabled: true, conditions: { country: ['FR'] } }
  const options = { rules: [{ ...rule, destinationUrl: 'https://example.com/fr' }] }
  const { slug } = await makeLink(sql, { options })
  const { headers } = await ask(`/${slug}`, ['CF-IPCountry: FR'])
  assert.equal(headers.get('location'), 'https://example.com/fr')
  await ask(`/${slug}`, ['CF-IPCountry: DE'])
  assert.deepEqual(
    clicks().map(({ route, country }) => [route, country]),
    [
      ['rule:rul_fr', 'FR'],
      ['default', 'DE'],
    ],
  )
})

test('a click records the privacy signals of its request and the route of its link', async (t) => {
  const { sql, ask, clicks } = await openEdgeWorld(t)
  const { slug } = await makeLink(sql)
  await ask(`/${slug}`)
  await ask(`/${slug}?x=1`, ['Sec-GPC: 1'])
  await ask(`/${slug}`, ['DNT: 1'])
  await ask(`/${slug}`, ['DNT: 0', 'Sec-GPC: true'])
  assert.deepEqual(
    clicks().map(({ hasGpc, hasDnt }) => [hasGpc, hasDnt]),
    [
      [false, false],
      [true, false],
      [false, true],
      [false, false],
    ],
  )
  for (const { route, domainId, isView } of clicks())
    assert.deepEqual({ route, domainId, isView }, { route: 'default', domainId: '', isView: false })
})
