import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { findFaultsInShapes, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld, openLink } from '../support/dashboard-world.ts'
import { eventually } from '../support/eventually.ts'

const HOSTILE = `<img src=x onerror="document.body.dataset.payload=1">`

test('a sale reported by a server is on the pages', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  const owner = await world.member()
  const { cookie } = await world.session(owner)
  const { page } = await openPage(t, world, { cookie })
  const base = `${world.origin}/app/${owner.workspaceId}`
  const link = { name: 'Shop', slug: 'shop', destinationUrl: 'https://shop.example.com/' }
  const { body } = await must(201, owner.post('/links', link))
  const linkId = body.data.id as string

  await t.test('the form of a link turns the tracking on', async () => {
    await page.goto(`${base}/links/${linkId}?open=edit`)
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Redirect and apps').click()
    await dialog.getByLabel('Track conversions').check()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'hidden' })
    const { data } = (await must(200, owner.get(`/links/${linkId}`))).body
    assert.equal(data.trackConversions, true)
  })

  const columns = page.getByRole('main').getByText('Conversions', { exact: true })

  await t.test('the page lists conversions with reason, sum and series', async () => {
    await page.goto(`${base}/links`)
    // A row has the number twice, for phones and for wide windows.
    await page.getByTitle('Clicks in the last 30 days').filter({ visible: true }).waitFor()
    assert.equal(await columns.count(), 0, 'the list of links has no column without any')
    await page.goto(`${base}/conversions`)
    await page.getByText('No conversions in this period').waitFor()
    const location = await eventually(async () => {
      const answer = await openLink(world, 'shop')
      const spId = new URL(answer.headers.get('location')!).searchParams.get('sp_id')
      assert.ok(spId)
      return spId
    })
    const sale = { eventId: 'order-1', clickId: location, value: 4_900, currency: 'eur' }
    await must(202, owner.post('/conversions', { eventName: HOSTILE, ...sale }))
    await must(
      202,
      owner.post('/conversions', { eventName: 'Refund', value: -900, currency: 'eur' }),
    )
    await eventually(async () => {
      const { data } = (await must(200, owner.get('/analytics/conversions'))).body
      assert.ok(data.some(({ reason }: { reason: string }) => reason === 'sp_id'))
    })
    await page.goto(`${base}/conversions`)
    await page.getByText('Signed click ID').waitFor()
    await page.getByText(HOSTILE).waitFor()
    await page.getByText('No click or link given').waitFor()
    await page.getByText('€40', { exact: true }).waitFor()
    await page.getByText('1 of 2 conversions attributed').waitFor()
    assert.equal(await page.evaluate('document.body.dataset.payload'), undefined)
    await page.goto(`${base}/links/${linkId}`)
    await page.getByText('€49', { exact: true }).waitFor()
    await page.getByText('Value (EUR)').waitFor()
    await page.goto(`${base}/conversions`)
    await page.getByLabel('Type').selectOption('lead')
    await page.getByText('No conversions in this period').waitFor()
    assert.match(page.url(), /type=lead/)
  })

  await t.test(
    'lists, the page of the link and a shared dashboard have number and value',
    async () => {
      const dollars = { eventName: 'Purchase', linkId, value: 2_500, currency: 'usd' }
      await must(202, owner.post('/conversions', dollars))
      await eventually(async () => {
        const { data } = (await must(200, owner.get(`/analytics/links/${linkId}`))).body
        assert.deepEqual([data.conversions, data.value], [2, 2_500])
      })
      await page.goto(`${base}/links`)
      const cell = page.getByTitle('2 conversions in 30 days')
      await cell.waitFor()
      assert.equal(await cell.innerText(), 'US$25 2')
      assert.equal(await columns.count(), 1)
      await page.goto(`${base}/links/${linkId}`)
      await page.getByText('US$25', { exact: true }).waitFor()
      await page.getByText('2Conversions').first().waitFor()
      const input = { title: 'Sales', linkId, showConversions: true }
      const { data } = (await must(201, owner.post('/dashboards', input))).body
      await page.goto(data.url)
      const totals = page.getByRole('region', { name: 'Totals' })
      await totals.waitFor()
      const shown = (await totals.innerText()).replaceAll(/\s+/g, ' ')
      assert.match(shown, /\b2 Conversions\b/)
      assert.match(shown, /US\$25 Value\b/)
      await must(200, owner.patch(`/dashboards/${data.id}`, { currency: 'EUR' }))
      await page.reload()
      await totals.getByText(/^€/).waitFor()
      await must(200, owner.patch(`/dashboards/${data.id}`, { showConversions: false }))
      await page.reload()
      await totals.waitFor()
      assert.doesNotMatch(await totals.innerText(), /Conversions/)
    },
  )

  await t.test('it fits phones, and has no finding of axe', async () => {
    for (const path of ['/conversions', '/links']) {
      await page.goto(`${base}${path}`)
      await waitUntilLoaded(page)
      assert.deepEqual(await findFaultsInShapes(page), [], path)
    }
  })
})
