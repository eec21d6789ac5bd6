import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export type ShlinkUrl = {
  shortCode: string
  longUrl: string
  domain?: string | null
  title?: string | null
  tags?: string[]
  meta?: { validSince?: string | null; validUntil?: string | null; maxVisits?: number | null }
  rules?: object[]
  /** Times of visits, the newest first. */
  visits?: string[]
  bots?: number
}

export const SHLINK_KEY = '8f1b2c3d-0000-4000-8000-000000000001'

/** Speaks the published REST API of Shlink, version 3, as far as an import asks. */
export async function openShlinkServer(t: TestContext, urls: readonly ShlinkUrl[]) {
  const asked: string[] = []
  let answerAs: ((request: IncomingMessage, response: ServerResponse) => boolean) | null = null
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    if (answerAs?.(request, response)) return
    const send = (status: number, body: unknown) => {
      const type = status < 400 ? 'application/json' : 'application/problem+json'
      response.writeHead(status, { 'content-type': type }).end(JSON.stringify(body))
    }
    const problem = (status: number, title: string, type: string) =>
      send(status, {
        title,
        type: `https://shlink.io/api/error/${type}`,
        detail: `${title}.`,
        status,
      })
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost')
    if (request.headers['x-api-key'] !== SHLINK_KEY)
      return problem(401, 'Invalid API key', 'invalid-api-key')
    const paged = (all: readonly unknown[], name: string) => {
      const page = Number(searchParams.get('page') ?? 1)
      const itemsPerPage = Number(searchParams.get('itemsPerPage') ?? 10)
      const data = all.slice((page - 1) * itemsPerPage, page * itemsPerPage)
      send(200, {
        [name]: {
          data,
          pagination: {
            currentPage: page,
            pagesCount: Math.max(1, Math.ceil(all.length / itemsPerPage)),
            itemsPerPage,
            itemsInCurrentPage: data.length,
            totalItems: all.length,
          },
        },
      })
    }
    if (pathname === '/rest/v3/short-urls') return paged(urls.map(toShortUrl), 'shortUrls')
    const [, code, of] = /^\/rest\/v3\/short-urls\/([^/]+)\/([a-z-]+)$/.exec(pathname) ?? []
    const url = urls.find(
      ({ shortCode, domain }) =>
        shortCode === decodeURIComponent(code ?? '') &&
        (domain ?? null) === searchParams.get('domain'),
    )
    if (!url) return problem(404, 'Short URL not found', 'short-url-not-found')
    if (of === 'redirect-rules')
      return send(200, { defaultLongUrl: url.longUrl, redirectRules: url.rules ?? [] })
    const visits = (url.visits ?? []).map((date) => ({
      referer: '',
      date,
      userAgent: 'Mozilla/5.0',
      visitLocation: null,
      potentialBot: false,
      visitedUrl: null,
      redirectUrl: url.longUrl,
    }))
    paged(visits, 'visits')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    asked,
    /** Another answer for a request, when it returns true. */
    answerWith(answer: NonNullable<typeof answerAs>) {
      answerAs = answer
    },
  }
}

function toShortUrl({
  shortCode,
  longUrl,
  domain = null,
  title = null,
  tags = [],
  ...rest
}: ShlinkUrl) {
  const { meta = {}, rules = [], visits = [], bots = 0 } = rest
  return {
    shortCode,
    shortUrl: `https://${domain ?? 's.example.org'}/${shortCode}`,
    longUrl,
    dateCreated: '2024-05-01T20:34:16+02:00',
    tags,
    meta: { validSince: null, validUntil: null, maxVisits: null, ...meta },
    domain,
    title,
    crawlable: false,
    forwardQuery: true,
    hasRedirectRules: rules.length > 0,
    visitsSummary: { total: visits.length + bots, nonBots: visits.length, bots },
  }
}
