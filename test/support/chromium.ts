import { spawn } from 'node:child_process'
import type { TestContext } from 'node:test'
import { BROWSER } from './browser-program.ts'
import { freshFolder } from './fixtures.ts'
import { until } from './eventually.ts'

const ARGUMENTS = [
  ...BROWSER.args!,
  '--headless=new',
  '--disable-gpu',
  '--no-first-run',
  '--remote-debugging-port=0',
]

/** A message of the browser about its page: a navigation, a line of the log. */
type BrowserEvent = { method: string; params: unknown }

/** A real browser with a profile of its own; closed after the test. */
export async function openChromium(t: TestContext) {
  const profile = `--user-data-dir=${freshFolder()}`
  const browser = spawn(BROWSER.executablePath!, [...ARGUMENTS, profile, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    ...(BROWSER.env && { env: BROWSER.env as NodeJS.ProcessEnv }),
  })
  t.after(() => browser.kill('SIGKILL'))
  let errors = ''
  browser.stderr.on('data', (chunk) => (errors += String(chunk)))
  let address: string | undefined
  await until(() => {
    address = /DevTools listening on ws:\/\/([^/]+)/.exec(errors)?.[1]
    return address !== undefined
  }, 'Chromium listens')
  const pages = (await (await fetch(`http://${address}/json`)).json()) as {
    type: string
    webSocketDebuggerUrl: string
  }[]
  const { command, events } = await connect(
    pages.find(({ type }) => type === 'page')!.webSocketDebuggerUrl,
    t,
  )
  await command('Page.enable')

  /** The value of a script, which runs also where the page itself may run none. */
  async function evaluate<T>(expression: string): Promise<T> {
    const { frameTree } = await command<{ frameTree: { frame: { id: string } } }>(
      'Page.getFrameTree',
    )
    const { executionContextId: contextId } = await command<{ executionContextId: number }>(
      'Page.createIsolatedWorld',
      { frameId: frameTree.frame.id },
    )
    const { result } = await command<{ result: { value: T } }>('Runtime.evaluate', {
      expression,
      contextId,
      returnByValue: true,
    })
    return result.value
  }

  async function click(selector: string): Promise<void> {
    const found = `document.querySelector(${JSON.stringify(selector)}).getBoundingClientRect()`
    const at = await evaluate<{ x: number; y: number }>(
      `(({ x, y, width, height }) => ({ x: x + width / 2, y: y + height / 2 }))(${found})`,
    )
    for (const type of ['mousePressed', 'mouseReleased'])
      await command('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 })
  }

  return {
    command,
    /** Events of the browser so far. */
    events,
    evaluate,
    click,
    visit: (url: string) => command('Page.navigate', { url }),
    /** Address of the page that the user sees. */
    url: () => evaluate<string>('location.href'),
    text: () => evaluate<string>('document.body?.innerText ?? ""'),
    async type(selector: string, text: string): Promise<void> {
      await click(selector)
      await command('Input.insertText', { text })
    },
    async screenshot(): Promise<Buffer> {
      const { data } = await command<{ data: string }>('Page.captureScreenshot')
      return Buffer.from(data, 'base64')
    },
  }
}

/** Sends commands of the DevTools protocol. */
async function connect(url: string, t: TestContext) {
  const socket = new WebSocket(url)
  t.after(() => socket.close())
  const events: BrowserEvent[] = []
  const waiting = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error, ...event } = JSON.parse(String(data)) as BrowserEvent & {
      id?: number
      result?: unknown
      error?: { message: string }
    }
    if (id === undefined) events.push(event)
    const waiter = id === undefined ? undefined : waiting.get(id)
    if (id === undefined || waiter === undefined) return
    waiting.delete(id)
    if (error) waiter.reject(new Error(error.message))
    else waiter.resolve(result)
  })
  await new Promise((resolve) => socket.addEventListener('open', resolve))
  let serial = 0
  function command<T = unknown>(method: string, params: object = {}): Promise<T> {
    const id = ++serial
    return new Promise<T>((resolve, reject) => {
      waiting.set(id, { resolve: (result) => resolve(result as T), reject })
      socket.send(JSON.stringify({ id, method, params }))
    })
  }
  return { command, events }
}
