import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { newToken } from '../src/platform/core/secrets.ts'

export type SignInLinks = {
  /** The URL of a new link. Those issued before stay as they are. */
  issue(): string
  close(): Promise<void>
}

const USED =
  'This link has been used, or never existed. Press Enter in the terminal of the demo for a new one.\n'

/**
 * Links that sign in the first browser that opens each. The program has no such links: this server is
 * another one, on a loopback port of its own, that signs in with the password of the demo's account
 * and hands the cookie on. Browsers send a cookie to every port of its host.
 * @param signIn returns the cookies of a new session
 * @param target the page that follows
 */
export async function openSignInLinks(
  signIn: () => Promise<string[]>,
  target: string,
): Promise<SignInLinks> {
  const unused = new Set<string>()
  const server = createServer((request, response) => {
    // A set forgets a path once: of two requests at a time, one signs in.
    const isFirst = request.method === 'GET' && unused.delete(request.url ?? '')
    if (!isFirst) return refuse(response)
    signIn().then(
      (cookies) =>
        response
          .writeHead(302, {
            location: target,
            'set-cookie': cookies,
            'cache-control': 'no-store',
            'referrer-policy': 'no-referrer',
          })
          .end(),
      (error: unknown) => response.destroy(error as Error),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    issue() {
      const path = `/${newToken().token}`
      unused.add(path)
      return Object.assign(new URL(path, target), { port: String(port) }).href
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function refuse(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'text/plain; charset=utf-8' }).end(USED)
}
