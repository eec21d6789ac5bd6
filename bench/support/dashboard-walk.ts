import type { Locator, Page } from 'playwright-core'
import { OWNER, type Site } from './dashboard-site.ts'
import { readVitals, type Vitals } from './page-vitals.ts'

type Walk = {
  restMs: number
  /** Takes what was observed on a part of the way. */
  take: (name: string, vitals: Vitals) => void
}

/** The main actions of a user: from the sign-in by the pages of a workspace, with mouse and keyboard. */
export async function walk(
  page: Page,
  { urls }: Pick<Site, 'urls'>,
  { restMs, take }: Walk,
): Promise<void> {
  const rest = () => page.waitForTimeout(restMs / 4)
  const press = async (control: Locator) => {
    await control.click()
    await rest()
  }
  const hit = async (...keys: string[]) => {
    for (const key of keys) {
      await page.keyboard.press(key)
      await rest()
    }
  }
  const hand: Hand = { page, press, hit }
  const parts: [string, (hand: Hand) => Promise<void>][] = [
    ['sign-in', signIn],
    ['overview', useMenus],
    ['links', useList],
    ['new link', useDrawer],
    ['link', useLink],
    ['analytics', useFigures],
    ['webhooks', readDeliveries],
    ['settings', useSettings],
  ]
  await page.goto(`${urls.dashboard}/sign-in`)
  for (const [name, use] of parts) {
    await use(hand)
    await page.waitForTimeout(restMs)
    take(`${name}, used`, await readVitals(page))
  }
}

type Hand = {
  page: Page
  press(control: Locator): Promise<void>
  hit(...keys: string[]): Promise<void>
}

const go = ({ page, press }: Hand, name: string) =>
  press(page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name, exact: true }))

async function signIn({ page, press }: Hand): Promise<void> {
  await page.getByLabel('E-mail').pressSequentially(OWNER.email)
  await page.getByLabel('Password').pressSequentially(OWNER.password)
  await press(page.getByRole('button', { name: 'Sign in' }))
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
}

async function useMenus({ page, press, hit }: Hand): Promise<void> {
  await press(page.getByRole('button', { name: /: switch$/ }))
  await hit('Escape')
  await press(page.getByRole('button', { name: /account menu/ }))
  await hit('Escape', 'Control+k')
  await page.getByRole('combobox').pressSequentially('campaigns')
  await hit('Enter')
  await page.getByRole('heading', { level: 1, name: 'Campaigns' }).waitFor()
}

async function useList(hand: Hand): Promise<void> {
  const { page, press, hit } = hand
  await go(hand, 'Links')
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .waitFor()
  await page.getByRole('searchbox').pressSequentially('zorqblat')
  await page.getByText('Contains').waitFor()
  await press(page.getByRole('button', { name: 'Clear filters' }))
  await page
    .getByRole('checkbox', { name: /^Select / })
    .first()
    .waitFor()
  await press(page.getByRole('button', { name: 'Last click', exact: true }))
  await press(page.getByRole('checkbox', { name: 'Include archived' }))
  await page.getByRole('heading', { level: 1 }).click()
  await hit('j', 'j', 'k', 'x', 'Shift+J', 'Shift+J')
  await press(page.getByRole('button', { name: 'Clear selection' }))
  await press(page.getByRole('button', { name: 'More actions' }))
  await hit('Escape')
}

async function useDrawer({ page, press, hit }: Hand): Promise<void> {
  await hit('c')
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Points to').first().pressSequentially('https://example.com/spring')
  await drawer.getByLabel('Short link').pressSequentially('spring')
  await press(drawer.locator('summary', { hasText: 'UTM parameters' }))
  await drawer.getByLabel('Source').pressSequentially('newsletter')
  await press(drawer.locator('summary', { hasText: 'Rules' }))
  await press(drawer.getByRole('button', { name: 'Add a rule' }))
  await hit('Escape')
}

async function useLink(hand: Hand): Promise<void> {
  const { page, press, hit } = hand
  await press(page.getByRole('listitem').getByRole('link').first())
  await page.getByRole('slider').waitFor()
  await choosePeriods(hand, '7', '30')
  await press(page.getByRole('button', { name: 'More', exact: true }))
  await page.getByRole('menu').waitFor()
  await hit('Escape')
  await page.getByRole('menu').waitFor({ state: 'hidden' })
  for (const key of ['q', 'e']) {
    await hit(key)
    // Its code is loaded first.
    await page.getByRole('dialog').waitFor()
    await hit('Escape')
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
  }
}

async function choosePeriods({ page, press }: Hand, ...days: string[]): Promise<void> {
  for (const count of days) {
    await press(page.getByRole('button', { name: /^Period:/ }))
    await press(page.getByRole('button', { name: `Last ${count} days`, exact: true }))
  }
}

async function useFigures(hand: Hand): Promise<void> {
  const { page, press, hit } = hand
  await go(hand, 'Analytics')
  const chart = page.getByRole('slider')
  await chart.waitFor()
  await choosePeriods(hand, '7', '90', '30')
  await chart.focus()
  await hit('ArrowLeft', 'ArrowLeft', 'Home', 'End', 'p', 'p')
  const filter = page.getByRole('button', { name: 'Phone', exact: false }).first()
  await press(filter)
  await press(page.getByRole('button', { name: /^Remove the .* filter/ }).first())
  await press(page.getByText('As a table').first())
}

async function readDeliveries(hand: Hand): Promise<void> {
  const { page, press, hit } = hand
  await go(hand, 'Webhooks')
  await page.locator('[data-delivery]').first().waitFor()
  await press(page.locator('[data-delivery]').first())
  await hit('j', 'j', 'k', 'Escape')
  const tabs = page.getByRole('group', { name: 'Status' })
  await press(tabs.getByRole('button').nth(1))
  await press(tabs.getByRole('button').first())
}

async function useSettings(hand: Hand): Promise<void> {
  const { page, press, hit } = hand
  await go(hand, 'Settings')
  for (const name of ['Members', 'API keys', 'Audit log', 'Workspace'])
    await press(page.getByRole('link', { name, exact: true }))
  await hit('?', 'Escape')
}
