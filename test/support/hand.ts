import assert from 'node:assert/strict'
import type { Locator, Page } from 'playwright-core'
import { evaluateBeside } from './beside.ts'

/** The input device of a user: the mouse, or the keyboard alone. */
export type Hand = {
  press(control: Locator): Promise<void>
  fill(field: Locator, text: string): Promise<void>
  /** Opens a menu, and takes one of its items. */
  choose(menu: Locator, item: Locator): Promise<void>
}

export function mouseOf(): Hand {
  return {
    press: (control) => control.click(),
    async fill(field, text) {
      await field.click()
      await field.fill(text)
    },
    async choose(menu, item) {
      await menu.click()
      await item.click()
    },
  }
}

/** Stops of the longest page of the dashboard. */
const MAX_STOPS = 120

/** The focused element, and whether an outline or another mark of CSS shows it. The browser marks the parts of a date itself. */
const FOCUSED = `(() => {
  const { activeElement: at } = document
  if (!at || at === document.body) return { name: 'body', isMarked: true }
  const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(at)
  return {
    name: at.tagName + ' ' + (at.getAttribute('aria-label') ?? at.textContent).trim().slice(0, 60),
    isMarked: at.matches('main, [role=dialog], [role=menu], [type=date]') || at.hasAttribute('data-base-ui-focus-guard') ||
      (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
  }
})()`

/** Reaches each control by Tab, and asserts that the focus can be seen at each stop. */
export function keyboardOf(page: Page): Hand {
  const isFocused = (control: Locator) =>
    control.evaluate((node) => node === node.ownerDocument.activeElement)

  async function reach(control: Locator): Promise<void> {
    await control.waitFor()
    const passed: string[] = []
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      if (await isFocused(control)) return
      await page.keyboard.press('Tab')
      const { name, isMarked } = await evaluateBeside<{ name: string; isMarked: boolean }>(
        page,
        FOCUSED,
      )
      assert.ok(isMarked, `the focus cannot be seen: ${name}`)
      passed.push(name)
    }
    assert.fail(`Tab does not reach ${control.toString()}: ${passed.join(' | ')}`)
  }
  const press = async (control: Locator) => {
    await reach(control)
    await page.keyboard.press('Enter')
  }
  return {
    press,
    async choose(menu, item) {
      await press(menu)
      await item.waitFor()
      for (let step = 0; step < MAX_STOPS && !(await isFocused(item)); step++)
        await page.keyboard.press('ArrowDown')
      assert.ok(await isFocused(item), `the arrow keys do not reach ${item.toString()}`)
      await page.keyboard.press('Enter')
    },
    async fill(field, text) {
      await reach(field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },
  }
}
