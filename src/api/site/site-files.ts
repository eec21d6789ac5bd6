import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { contentPolicy, styleHashes } from '../../platform/http/html.ts'
import { logoSvg } from '../../platform/http/logo.ts'
import { digestFile, sendFile } from './static-file.ts'

/**
 * Short links and shared dashboards may be crawled, and those say in their headers which may be listed. The dashboard and
 * the rest of the API have nothing for a search engine.
 */
const ROBOTS = `User-agent: *
Disallow: /app/
Disallow: /v1/
Allow: /app/assets/
Allow: /v1/public/
`
const DAY = 'public, max-age=86400'

/** The files that browsers and crawlers ask every host for. */
export function addSiteFiles(app: FastifyInstance): void {
  const svg = logoSvg()
  // 32 pixels, drawn from the picture above; a browser that shows no SVG icon takes it.
  const ico = readFileSync(new URL('favicon.ico', import.meta.url))
  const svgPolicy = contentPolicy({ 'style-src': styleHashes(svg) })
  add(app, '/robots.txt', 'text/plain; charset=utf-8', Buffer.from(ROBOTS))
  add(app, '/favicon.ico', 'image/x-icon', ico)
  add(app, '/favicon.svg', 'image/svg+xml', Buffer.from(svg), svgPolicy)
}

function add(
  app: FastifyInstance,
  path: string,
  type: string,
  content: Buffer,
  policy = contentPolicy({}),
): void {
  const file = { type, content, digest: digestFile(content) }
  app.get(path, async (request, reply) => {
    reply.header('content-security-policy', policy)
    return sendFile(request, reply, file, DAY)
  })
}
