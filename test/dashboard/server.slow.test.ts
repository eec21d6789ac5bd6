import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'
import { must } from '../support/calls.ts'

test('operators in the dashboard', { skip: SKIP_WITHOUT_BROWSER }, async (t) => {
  const world = await openDashboardWorld(t)
  const operator = await world.user()
  await world.sql`update users set is_operator = true where id = ${operator.userId}`
  const { cookie } = await world.session(operator)
  const { page } = await openPage(t, world, { cookie })
  const dialog = page.getByRole('dialog')

  await t.test('find a workspace, change its plan, suspend and resume it', async () => {
    const owner = await world.member()
    const name = 'Zebra Crossing'
    await world.sql`update workspaces set name = ${name} where id = ${owner.workspaceId}`
    await page.goto(`${world.origin}/app/${operator.workspaceId}`)
    await page.getByText('account menu').click()
    await page.getByRole('menuitem', { name: 'Server' }).click()
    await page.getByRole('searchbox').fill('zebra')
    await page.getByRole('searchbox').press('Enter')
    await page.getByText('1 workspace').waitFor()
    await page.getByRole('button', { name }).click()
    await dialog.getByLabel('Plan').selectOption('pro')
    await dialog.getByLabel('API requests per minute').fill('700')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.').waitFor()
    const [row] = await world.sql`
      select plan, api_requests_per_minute from workspaces where id = ${owner.workspaceId}`
    assert.deepEqual({ ...row }, { plan: 'pro', apiRequestsPerMinute: 700 })
    await dialog.getByRole('button', { name: 'Suspend' }).click()
    const question = page.getByRole('dialog', { name: `Suspend ${name}?` })
    await question.getByLabel('Reason').fill('Unpaid')
    await question.getByRole('button', { name: 'Suspend' }).click()
    await dialog.getByRole('button', { name: 'Resume' }).click()
    await page.getByText(`${name} is active again.`).waitFor()
  })

  await t.test('block the destination of a report, and lift the block', async () => {
    const owner = await world.member()
    const made = await must(
      201,
      owner.post('/links', { name: 'A', destinationUrl: 'https://evil.example.org/page' }),
    )
    await world.sql`
      insert into abuse_reports (id, url, reason, workspace_id, link_id, created_at)
      values ('abr_1', ${made.body.data.shortUrl}, 'phishing', ${owner.workspaceId},
        ${made.body.data.id}, now())`
    await page.goto(`${world.origin}/app/server/reports`)
    await page.getByText('evil.example.org').waitFor()
    await page.getByRole('button', { name: 'Actions for the report' }).click()
    await page.getByRole('menuitem', { name: 'Mark as resolved' }).click()
    await page.getByText('The report is resolved.').waitFor()
    await page.getByRole('button', { name: 'Actions for the report' }).click()
    await page.getByRole('menuitem', { name: 'Block its destination' }).click()
    await dialog.getByRole('button', { name: 'Block' }).click()
    await page.getByText('evil.example.org is blocked.').waitFor()
    await page.getByRole('button', { name: 'Actions for evil.example.org' }).click()
    await page.getByRole('menuitem', { name: 'Lift the block' }).click()
    await dialog.getByRole('button', { name: 'Lift the block' }).click()
    await page.getByText('The block is lifted.').waitFor()
  })

  await t.test('are the only ones who see these pages', async (part) => {
    const { page: other } = await openPage(part, world, await world.session(await world.user()))
    await other.goto(`${world.origin}/app/server`)
    await other.getByText('Operators only').waitFor()
    await waitUntilLoaded(other)
  })
})
