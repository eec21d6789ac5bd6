import assert from 'node:assert/strict'
import { test } from 'node:test'
import { must } from '../support/calls.ts'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import {
  findViolations,
  openPage,
  waitUntilLoaded,
  contentOf,
} from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { finished, makeReport } from '../support/reports-world.ts'

const HOSTILE = `<img src=x onerror="document.body.dataset.payload=1">`

test(
  'reports are made, watched, scheduled, downloaded and deleted',
  { skip: SKIP_WITHOUT_BROWSER },
  async (t) => {
    const world = await openDashboardWorld(t)
    const owner = await world.member()
    const { cookie } = await world.session(owner)
    const { page } = await openPage(t, world, { cookie, expected: [/status of 400/] })
    const [{ email }] = (await world.sql<[{ email: string }]>`
    select email from users where id = ${owner.userId}`) as [{ email: string }]
    await page.goto(`${world.origin}/app/${owner.workspaceId}/reports`)
    await page.getByText('No reports yet').waitFor()

    await t.test('the form makes a report, and names what it refuses', async () => {
      await page.getByRole('button', { name: 'New report' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Name').fill(HOSTILE)
      await dialog.getByLabel('Contents').selectOption('links')
      await dialog.getByLabel('Format').selectOption('csv')
      await dialog.getByLabel('Period').selectOption('7')
      await dialog.getByLabel('Repeat').selectOption('weekly')
      await dialog.getByLabel('Day of the week').selectOption('1')
      await dialog.getByLabel('Hour').selectOption('6')
      await dialog.getByLabel('Time zone').selectOption('Europe/Berlin')
      await dialog.getByLabel('Send to').fill(`${email}, stranger@example.com`)
      await dialog.getByRole('button', { name: 'Create report' }).click()
      await dialog.getByText('must be the address of a member').waitFor()
      assert.deepEqual(await findViolations(page), [])
      await dialog.getByLabel('Send to').fill(email)
      await dialog.getByRole('button', { name: 'Create report' }).click()
      await dialog.waitFor({ state: 'hidden' })
      const { data } = (await must(200, owner.get('/reports'))).body
      assert.deepEqual(
        [data.length, data[0].name, data[0].type, data[0].format, data[0].filters.days],
        [1, HOSTILE, 'links', 'csv', 7],
      )
      assert.deepEqual(data[0].schedule, {
        ...{ frequency: 'weekly', hour: 6, weekday: 1, timezone: 'Europe/Berlin' },
        recipients: [email],
      })
    })

    await t.test('the row shows the end of the run by itself, and gives the file', async () => {
      const link = page.getByRole('link', { name: `Download ${HOSTILE}` })
      await link.waitFor()
      await page.getByText('Every week, next').waitFor()
      const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
      assert.match(download.suggestedFilename(), /\.csv$/)
      const text = String(await contentOf(download))
      assert.ok(text.includes('id,shortUrl,name'), text)
      assert.equal(await page.evaluate('document.body.dataset.payload'), undefined)
    })

    await t.test('a change ends the schedule, and the menu deletes', async () => {
      await page.getByRole('button', { name: `Actions of ${HOSTILE}` }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel('Repeat').selectOption('never')
      await dialog.getByRole('button', { name: 'Save' }).click()
      await dialog.waitFor({ state: 'hidden' })
      const { data } = (await must(200, owner.get('/reports'))).body
      assert.deepEqual([data[0].schedule, data[0].filters.timezone], [null, 'Europe/Berlin'])
      await page.getByRole('button', { name: `Actions of ${HOSTILE}` }).click()
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Delete', exact: true }).click()
      await page.getByText('No reports yet').waitFor()
    })

    await t.test('viewers download, and neither make nor change reports', async (part) => {
      await makeReport(owner, { type: 'links', name: 'All links' })
      const audit = (await must(202, owner.post('/reports', { type: 'audit_log' }))).body.data
      await finished(owner, audit.id)
      const viewer = await world.member({ workspaceId: owner.workspaceId, role: 'viewer' })
      const { cookie: theirs } = await world.session(viewer)
      const { page: own } = await openPage(part, world, { cookie: theirs })
      await own.goto(`${world.origin}/app/${owner.workspaceId}/reports`)
      await waitUntilLoaded(own)
      await own.getByRole('link', { name: 'Download All links' }).waitFor()
      assert.equal(await own.getByRole('link', { name: 'Download Audit log' }).count(), 0)
      assert.equal(await own.getByRole('button', { name: 'New report' }).count(), 0)
      assert.equal(await own.getByRole('button', { name: 'Actions of All links' }).count(), 0)
    })
  },
)
