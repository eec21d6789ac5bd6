import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SKIP_WITHOUT_BROWSER } from '../support/browser-program.ts'
import { findCutTexts } from '../support/cut-texts.ts'
import { goTo, openPage, waitUntilLoaded } from '../support/dashboard-browser.ts'
import { fillWorkspace, isPopup, listPages, OUTSIDE } from '../support/dashboard-pages.ts'
import { openDashboardWorld } from '../support/dashboard-world.ts'

const BOX = 'width: 4rem; white-space: nowrap'
/** Four faults, which make the page too wide, and three texts that are as they should be. */
const PLANTED = `<!doctype html><body style="margin: 0">
<p style="${BOX}; overflow: hidden">cut without an ellipsis</p>
<p style="${BOX}; overflow: hidden; text-overflow: ellipsis">cut with an ellipsis</p>
<p style="${BOX}; overflow-x: auto">scrolled sideways by whoever reads it</p>
<button style="${BOX}">text beyond its button</button>
<input style="width: 4rem" placeholder="a long placeholder">
<details><summary>More</summary><p style="${BOX}; overflow: hidden">not yet shown</p></details>
<p style="position: absolute; left: 300px; white-space: nowrap">beyond the edge of a phone</p>`

test(
  'no text is cut on a phone, in German and in Arabic',
  { skip: SKIP_WITHOUT_BROWSER },
  async (t) => {
    const world = await openDashboardWorld(t)
    const filled = await fillWorkspace(world)
    const { userId, workspaceId } = filled
    const { cookie } = await world.session({ userId, workspaceId })
    const { pages, popups } = listPages(filled)
    await t.test('the check finds planted faults', async (part) => {
      const { page } = await openPage(part, world, { size: 'phone' })
      await page.setContent(PLANTED)
      assert.equal((await findCutTexts(page)).length, 5)
    })
    for (const language of ['de', 'ar'])
      await t.test(language, async (part) => {
        await world.sql`
          update users set preferences = ${JSON.stringify({ language })}::text::jsonb
          where id = ${userId}`
        const { page } = await openPage(part, world, { size: 'phone', cookie, locale: language })
        const faults: string[] = []
        const visit = async (path: string) => {
          await goTo(page, `${world.origin}/app${path}`)
          await (isPopup(path) ? page.getByRole('dialog').waitFor() : waitUntilLoaded(page))
          faults.push(...(await findCutTexts(page)).map((fault) => `${path}: ${fault}`))
        }
        for (const path of [...pages, ...popups]) await visit(path)
        await page.context().clearCookies()
        for (const path of OUTSIDE) await visit(path)
        assert.deepEqual(faults, [])
      })
  },
)
