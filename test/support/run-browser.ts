import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { BrowserServer } from 'playwright-core'

/** The browser of a run, started by the first file that asks for its address. */
export async function serveBrowser() {
  let launching: Promise<BrowserServer> | undefined
  const server = createServer((_req, res) => {
    launching ??= launch()
    launching.then(
      (browser) => res.end(browser.wsEndpoint()),
      (error: unknown) => res.writeHead(500).end(String(error)),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await (await launching)?.close()
    },
  }
}

/** Imported late: most runs of one file need no browser, and the package waits for its folder. */
async function launch(): Promise<BrowserServer> {
  const [{ chromium }, { BROWSER }] = await Promise.all([
    import('playwright-core'),
    import('./browser-program.ts'),
  ])
  return chromium.launchServer(BROWSER)
}
