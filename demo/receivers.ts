import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Receivers = {
  url(name: 'crm' | 'stock' | 'reports'): string
  /** Whether `stock` answers 503. */
  isStockDown: boolean
  close(): Promise<void>
}

type Answer = { status: number; body: object }

const TAKEN: Answer = { status: 200, body: { received: true } }
const STOCK_DOWN: Answer = {
  status: 503,
  body: { error: 'database_unavailable', message: 'The stock database restarts', retryable: true },
}
const REPORTS_BROKEN: Answer = {
  status: 500,
  body: { error: 'unknown_field', message: 'Column "campaign" does not exist' },
}

/** Receivers of webhooks on this machine: one that works, one that can be down, one that always fails. */
export async function openReceivers(): Promise<Receivers> {
  const state = { isStockDown: false }
  const answers: Record<string, () => Answer> = {
    crm: () => TAKEN,
    stock: () => (state.isStockDown ? STOCK_DOWN : TAKEN),
    reports: () => REPORTS_BROKEN,
  }
  const server = createServer((request, response) => {
    request.resume()
    const { status, body } = answers[nameIn(request.headers.host)]?.() ?? { status: 404, body: {} }
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    // Names below localhost are this machine, and tell the receivers apart.
    url: (name: string) => `http://${name}.localhost:${port}/hook`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
}

function nameIn(host = ''): string {
  return host.split('.', 1)[0]!
}
