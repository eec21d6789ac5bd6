import type { FastifyInstance } from 'fastify'
import { escapeHtml } from '../../platform/http/html.ts'
import { addressOf } from '../../platform/http/request.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import { DASHBOARD_HEADERS, sendWaiting, type Dashboard } from './dashboard.ts'

export type SharedPage = {
  /** Null for a dashboard with a password. */
  title: string | null
  isListed: boolean
}

export type FindSharedPage = (token: string, address: string) => Promise<SharedPage | null>

const UNTITLED = 'Shared dashboard'
/** The address of the page is a secret, so other pages must not learn it. */
const HEADERS = {
  ...DASHBOARD_HEADERS,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/** The head has the title, for previews in messages; the page reads the numbers from the API. */
export function addSharedPages(
  app: FastifyInstance,
  dashboard: Dashboard,
  findPage: FindSharedPage,
  clientAddress: ClientAddress,
): void {
  app.get('/share/:token', { config: { showsPages: true } }, async (request, reply) => {
    const { headers } = request.raw
    const { token } = request.params as { token: string }
    const file = dashboard.getPage('share.html')
    if (typeof file === 'string') return sendWaiting(reply, file)
    const page = await findPage(token, clientAddress(addressOf(request.raw), headers))
    const title = escapeHtml(page?.title ?? UNTITLED)
    const html = file.content
      .toString('utf8')
      .replace('{{state}}', page ? 'shared' : 'gone')
      .replaceAll('{{title}}', () => title)
    reply.headers({ ...HEADERS, ...(page?.isListed && { 'x-robots-tag': 'all' }) })
    return reply
      .code(page ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(html)
  })
}
