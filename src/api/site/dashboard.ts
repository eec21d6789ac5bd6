import type { FastifyInstance, FastifyReply } from 'fastify'
import { DASHBOARD_PATH, escapeHtml, htmlPage } from '../../platform/http/html.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { sendPage } from './pages.ts'
import { sendFile, type StaticFile } from './static-file.ts'

export type Dashboard = {
  /** Also an asset of the previous build, for open tabs. */
  find(path: string): StaticFile | undefined
  getPage(name: DashboardPage): StaticFile | 'building' | 'failed'
}

export const DASHBOARD_PAGES = ['index.html', 'share.html'] as const
export type DashboardPage = (typeof DASHBOARD_PAGES)[number]

const PAGES: ReadonlySet<string> = new Set(DASHBOARD_PAGES)
const ASSETS = 'assets/'
/** Names of assets contain a hash of their content. */
const FOREVER = 'public, max-age=31536000, immutable'
const FAILED_RELOAD_S = 5

/** Only files and answers of this server; no inline script or style, and no text becomes a script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

export const DASHBOARD_HEADERS = {
  'content-security-policy': POLICY,
  'referrer-policy': 'same-origin',
  'x-frame-options': 'DENY',
  'x-robots-tag': 'noindex',
  'cross-origin-resource-policy': 'same-origin',
}

/** A path that is no file of the build, compared undecoded, is an address that the page reads in the browser. */
export function addDashboard(app: FastifyInstance, dashboard: Dashboard): void {
  app.get('/app', async (request, reply) =>
    reply.redirect(DASHBOARD_PATH + queryOf(request.url), 302),
  )
  app.get('/app/*', async (request, reply) => {
    const path = request.url.slice(DASHBOARD_PATH.length).split('?', 1)[0]!
    const isAsset = path.startsWith(ASSETS)
    const file = PAGES.has(path) ? undefined : dashboard.find(path)
    if (!file && isAsset) throw new ApiError('NOT_FOUND', 'The dashboard has no such file.')
    const sent = file ?? dashboard.getPage('index.html')
    if (typeof sent === 'string') return sendWaiting(reply, sent)
    reply.headers(DASHBOARD_HEADERS)
    return sendFile(request, reply, sent, isAsset ? FOREVER : 'no-cache')
  })
}

function queryOf(url: string): string {
  const at = url.indexOf('?')
  return at === -1 ? '' : url.slice(at)
}

/** A page without scripts that reloads itself. */
export function sendWaiting(reply: FastifyReply, state: 'building' | 'failed'): FastifyReply {
  const page = WAITING[state]
  reply.headers({ refresh: String(page.reloadS), 'retry-after': String(page.reloadS) })
  return sendPage(reply, 503, page.html)
}

function paragraphs(...texts: readonly string[]): string {
  return texts.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')
}

const WAITING = {
  building: {
    reloadS: 1,
    html: htmlPage({
      title: 'The dashboard is being built',
      content: paragraphs(
        'This happens once after each update and takes a few seconds. This page then opens it.',
      ),
    }),
  },
  failed: {
    reloadS: FAILED_RELOAD_S,
    html: htmlPage({
      title: 'The dashboard could not be built',
      content: `${paragraphs('Links and the API work. The log of the server has the cause. The operator can build the dashboard again in the folder of Signpost, while the server runs:')}
<p><strong>npm run build</strong></p>
${paragraphs('This page opens the dashboard as soon as it is built.')}`,
    }),
  },
} as const
