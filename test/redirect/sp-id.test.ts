import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isUlid, timeOfUlid } from '../../src/platform/core/ids.ts'
import { parseClickId } from '../../src/platform/facts/click-identity.ts'

import { openEdgeWorld } from '../support/edge-world.ts'
import { makeLink, type LinkOver } from '../support/edge-links.ts'

const IPHONE = ['User-Agent: Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Safari/604.1']
const ANDROID = [
  'User-Agent: Mozilla/5.0 (Linux; Android 15; Pixel 9) Chrome/140.0 Mobile Safari/537.36',
]
const trackConversions = true
const LINK = 'lnk_01KAH0000000000000000000AA'

test('a link with trackConversions hands the signed id of its click to the destination', async (t) => {
  const world = await openEdgeWorld(t)
  const follow = async (
    destinationUrl: string,
    { query = '', options = {}, ...over }: LinkOver & { query?: string } = {},
  ) => {
    const link = await makeLink(world.sql, {
      destinationUrl,
      options: { trackConversions, ...options },
      ...over,
    })
    const answer = await world.ask(`/${link.slug}${query}`)
    const location = answer.headers.get('location')!
    return { answer, location, link, click: world.clicks().at(-1)! }
  }
  const spIdOf = (location: string) => /[?&]sp_id=([^&#]*)(#.*)?$/.exec(location)?.[1] ?? ''

  await t.test('as the last parameter, before a fragment', async () => {
    const { location, click } = await follow('https://example.com/shop?a=1#top', { query: '?b=2' })
    const spId = spIdOf(location)
    assert.equal(location, `https://example.com/shop?a=1&b=2&sp_id=${spId}#top`)
    const [clickId, , signature] = spId.split('.')
    assert.equal(clickId, click.clickId)
    assert.ok(isUlid(clickId!))
    assert.ok(Math.abs(timeOfUlid(clickId!) - click.atMs) < 60_000)
    assert.match(signature!, /^[\w-]{11}$/)
    assert.equal((await follow('https://example.com')).location.split('sp_id=').length, 2)
  })

  await t.test('without it in the record of the click, and never cacheable', async () => {
    const { answer, click, location } = await follow('https://example.com/plain', {
      redirectType: 301,
    })
    assert.equal(click.destination, 'https://example.com/plain')
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.match(location, /^https:\/\/example\.com\/plain\?sp_id=/)
  })

  await t.test('in place of any that the visitor or the destination has', async () => {
    const query = '?sp_id=mine&sp%5Fid=other&c=3'
    const { location } = await follow('https://example.com/?sp_id=old&x=1', { query })
    assert.match(location, /^https:\/\/example\.com\/\?x=1&c=3&sp_id=[0-9A-Z]{26}\.[^&]+$/)
  })

  await t.test('another at each click, and none for a HEAD request', async () => {
    const { link, location } = await follow('https://example.com/again')
    const again = (await world.ask(`/${link.slug}`)).headers.get('location')!
    assert.notEqual(spIdOf(again), spIdOf(location))
    const head = await world.ask(`/${link.slug}`, [], 'HEAD')
    assert.equal(head.headers.get('location'), 'https://example.com/again')
  })

  await t.test(
    'not in the page that opens an app, and not for a link without the option',
    async () => {
      const { link } = await follow('https://example.com/app', {
        options: { iosDeepLink: 'shop://item/1' },
      })
      const page = await world.ask(`/${link.slug}`, IPHONE)
      assert.equal(page.status, 200)
      assert.doesNotMatch(page.body, /sp_id/)
      const chosen = await world.ask(`/${link.slug}?sp_id=mine&a=1&sp%5Fid=other`, IPHONE)
      assert.doesNotMatch(chosen.body, /sp(_|%5F)id/)
      assert.match(chosen.body, /href="https:\/\/example\.com\/app\?a=1"/)
      const plain = await makeLink(world.sql, { destinationUrl: 'https://example.com/none' })
      const { headers } = await world.ask(`/${plain.slug}?sp_id=kept`)
      assert.equal(headers.get('location'), 'https://example.com/none?sp_id=kept')
    },
  )

  await t.test('in the referrer of an installation from Google Play', async () => {
    const store = 'https://play.google.com/store/apps/details?id=com.example.shop'
    const locationOf = async (androidDeepLink: string, query = '') => {
      const { link } = await follow('https://example.com/app', { options: { androidDeepLink } })
      const { headers } = await world.ask(`/${link.slug}${query}`, ANDROID)
      return { url: new URL(headers.get('location')!), link, click: world.clicks().at(-1)! }
    }
    const { url, link, click } = await locationOf(`${store}#about`, '?a=1')
    assert.deepEqual([...url.searchParams.keys()], ['id', 'referrer', 'a'])
    const referrer = new URLSearchParams(url.searchParams.get('referrer')!)
    assert.deepEqual([...referrer.keys()], ['deepLink', 'sp_id'])
    assert.ok(referrer.get('deepLink')!.endsWith(`/${link.slug}`))
    assert.deepEqual(parseClickId(world.signClick, referrer.get('sp_id')!), {
      clickId: click.clickId,
      linkId: link.id,
    })
    assert.equal(click.destination, `${store}#about`)
    const own = (await locationOf(`${store}&referrer=mine`)).url.searchParams
    assert.equal(own.get('referrer'), 'mine')
    assert.ok(own.has('sp_id'))
  })

  await t.test('a changed id or a signature of another key is a bare id', () => {
    const clickId = '01ARZ3NDEKTSV4RRFFQ69G5FAV'
    const spId = world.signClick(clickId, LINK)
    const read = (text: string) => parseClickId(world.signClick, text)
    assert.deepEqual(read(spId), { clickId, linkId: LINK })
    const other = LINK.replace(/A$/, 'B').slice(4)
    const bare = { clickId, linkId: null }
    assert.deepEqual(read(spId.replace(LINK.slice(4), other)), bare)
    assert.deepEqual(read(`${spId}.x`), bare)
    assert.deepEqual(read(clickId), bare)
    assert.deepEqual(read(`${spId.slice(0, -1)}${spId.endsWith('A') ? 'B' : 'A'}`), bare)
    assert.equal(read('not an id'), null)
    assert.equal(read(clickId.toLowerCase()), null)
  })
})
