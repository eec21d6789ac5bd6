import assert from 'node:assert/strict'
import type { Page, Request } from 'playwright-core'
import { evaluateBeside } from './beside.ts'
import { goTo, waitUntilLoaded } from './dashboard-browser.ts'
import { eventually } from './eventually.ts'

/** A control that can be pressed, by what is over the page at the time and its own name. */
type Control = { key: string; mark: number }
type Shown = { layer: string; path: string; controls: Control[] }

/** A menu, a dialog that it opens, and one over that. */
const MAX_LAYERS = 3

/**
 * Marks what can be pressed in the topmost layer, and reads its links. Names lose their digits, so that rows of
 * one kind count once.
 */
const READ = `(() => {
  const isVisible = (node) => node.checkVisibility({ visibilityProperty: true })
  const layers = [...document.querySelectorAll('[role=dialog], [role=menu]')].filter(isVisible)
  const top = layers.at(-1) ?? document
  const toName = (text) => text.replace(/\\s+/g, ' ').replace(/\\d+/g, '#').trim()
  const nameOf = (node) =>
    toName(node.getAttribute('aria-label') || node.labels?.[0]?.innerText || node.innerText || '')
  const opener = document.querySelector('[aria-haspopup=menu][aria-expanded=true]')
  // The state of a draft follows the title.
  const titleOf = (layer) =>
    layer.role === 'menu' ? 'menu ' + (opener ? nameOf(opener) : '') : toName(layer.querySelector('h2')?.firstChild?.data ?? 'dialog')
  const layer = layers.map(titleOf).join(' > ')
  const isIdle = (node) => !node.disabled && node.getAttribute('aria-disabled') !== 'true'
  const found = top.querySelectorAll('button, summary, input[type=checkbox], [role=menuitem]:not(a)')
  for (const old of document.querySelectorAll('[data-crawled]')) old.removeAttribute('data-crawled')
  const controls = [...found].filter((node) => isVisible(node) && isIdle(node)).map((node, mark) => {
    node.setAttribute('data-crawled', mark)
    return { key: layer + ' | ' + nameOf(node), mark }
  })
  const hrefs = [...top.querySelectorAll('a[href]')].filter(isVisible).map((node) => node.href)
  return { layer, path: location.pathname, controls, hrefs }
})()`

/**
 * Values that forms take, so that a press of their button sends them; a question gets the word that it asks for.
 * Its value is whether a field got one.
 */
const FILL = `(() => {
  let isFilled = false
  const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set
  const layers = [...document.querySelectorAll('[role=dialog]')]
  for (const field of (layers.at(-1) ?? document).querySelectorAll('input')) {
    if (field.value !== '' || !field.checkVisibility() || field.disabled) continue
    const word = /^Type (.+) to confirm$/.exec(field.labels?.[0]?.innerText ?? '')?.[1]
    const value = word ?? { text: 'Name', url: 'https://example.com/', email: 'new@example.com', password: 'quiet harbour lamp' }[field.type]
    if (value === undefined || (!field.required && word === undefined)) continue
    set.call(field, value)
    field.dispatchEvent(new Event('input', { bubbles: true }))
    isFilled = true
  }
  return isFilled
})()`

const DRAWN = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

/** A button may wait for what is typed. */
const FILL_AND_READ = `(async () => { if (${FILL}) await ${DRAWN}; return ${READ} })()`

/** Findings that crawlers share: a control that one of them has pressed is left out by the others. */
export class Found {
  /** The controls that were shown: `layer | name`. */
  readonly shown = new Set<string>()
  readonly pressed = new Set<string>()
  /** Those that were pressed, and opened nothing. */
  readonly done: Set<string>
  /** The addresses of all links that were shown. */
  readonly hrefs = new Set<string>()

  /** @param done controls that need no press any more */
  constructor(done: ReadonlySet<string>) {
    this.done = new Set(done)
  }
}

/** Presses each kind of control of the pages that it visits, in menus and dialogs too. */
export class Crawler {
  readonly #page: Page
  readonly #found: Found
  readonly #underWay = new Set<Request>()
  #url = ''

  constructor(page: Page, found: Found) {
    this.#page = page
    this.#found = found
    // A stream stays open.
    page.on('request', (request) => {
      if (!/\/live(\?|$)/.test(request.url())) this.#underWay.add(request)
    })
    const forget = (request: Request) => void this.#underWay.delete(request)
    page.on('requestfinished', forget)
    page.on('requestfailed', forget)
  }

  /** Presses what the page at this address offers. */
  async visit(url: string): Promise<void> {
    this.#url = url
    await this.#load()
    await this.#pressAll([])
  }

  async #load(show: (page: Page, url: string) => Promise<unknown> = goTo): Promise<void> {
    await show(this.#page, this.#url)
    await waitUntilLoaded(this.#page)
    await this.#settle()
  }

  async #read(): Promise<Shown> {
    const { hrefs, ...shown } = await evaluateBeside<Shown & { hrefs: string[] }>(
      this.#page,
      FILL_AND_READ,
    )
    for (const href of hrefs) this.#found.hrefs.add(href)
    for (const { key } of shown.controls) this.#found.shown.add(key)
    return shown
  }

  /** Presses every control of a layer that was not pressed yet. @param way what opens the layer */
  async #pressAll(way: readonly string[]): Promise<void> {
    const { pressed, done } = this.#found
    const opened = await this.#read()
    let shown = opened
    for (;;) {
      const { controls } = await this.#reach(way, opened, shown)
      const next = controls.find(({ key }) => !pressed.has(key) && !done.has(key))
      if (!next) return
      pressed.add(next.key)
      await this.#press(next)
      shown = await this.#read()
      const { layer, path } = shown
      const isDeeper = layer !== '' && layer !== opened.layer && path === opened.path
      if (!isDeeper) done.add(next.key)
      else if (way.length < MAX_LAYERS) {
        await this.#pressAll([...way, next.key])
        shown = await this.#read()
      }
    }
  }

  /** Shows a layer again, after a press that left it. @param now what is shown */
  async #reach(way: readonly string[], wanted: Shown, now: Shown): Promise<Shown> {
    const isThere = ({ layer, path }: Shown) => layer === wanted.layer && path === wanted.path
    let shown = now
    if (isThere(shown)) return shown
    for (let layers = 0; shown.layer !== '' && layers < MAX_LAYERS && !isThere(shown); layers++) {
      await this.#page.keyboard.press('Escape')
      await this.#settle()
      shown = await this.#read()
    }
    if (isThere(shown)) return shown
    // A layer that nothing closes ends with the document.
    if (shown.layer !== '') await this.#load((page, url) => page.goto(url))
    else if (shown.path !== new URL(this.#url).pathname) await this.#load()
    for (const step of way) {
      shown = await this.#read()
      const control = shown.controls.find(({ key }) => key === step)
      // An earlier press may have removed it.
      if (!control) return { ...shown, controls: [] }
      await this.#press(control)
    }
    shown = await this.#read()
    return isThere(shown) ? shown : { ...shown, controls: [] }
  }

  async #press({ mark }: Control): Promise<void> {
    await this.#page.locator(`[data-crawled="${mark}"]`).click({ force: true })
    await this.#settle()
  }

  /** Until every request was answered, and the page has drawn the answers. */
  async #settle(): Promise<void> {
    const assertIdle = () => {
      const addresses = [...this.#underWay].map((request) => request.url())
      assert.deepEqual(addresses, [])
    }
    const check = async () => {
      assertIdle()
      await evaluateBeside(this.#page, DRAWN)
      assertIdle()
    }
    await eventually(check, undefined, 10)
  }
}
