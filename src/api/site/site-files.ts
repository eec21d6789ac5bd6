import { readFileSync } from 'node:fs'
import type { FastifyInstance } from 'fastify'
import { contentPolicy, styleHashes } from '../../platform/http/html.ts'
import { logoSvg } from '../../platform/http/logo.ts'
import { digestFile, sendFile } from './static-file.ts'

/** Short links and shared dashboards may be crawled; their headers say which may be listed. */
const ROBOTS = `User-agent: *
Disallow: /app/
Disallow: /v1/
Allow: /app/assets/
Allow: /v1/public/
`
const DAY = 'public, max-age=86400'

/** The files that browsers and crawlers request from every host. */
export function addSiteFiles(app: FastifyInstance): void {
  const svg = logoSvg()
  // 32 pixels of the SVG, for browsers that show no SVG icon.
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
