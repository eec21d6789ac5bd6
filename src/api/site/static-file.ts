import { hash } from 'node:crypto'
import type { FastifyReply, FastifyRequest, FastifyInstance } from 'fastify'
import { getQuality } from '../../platform/http/request.ts'
import { CHUNK_BYTES, toChunkStream } from '../../platform/http/connections.ts'
import { readFileSync } from 'node:fs'
import { contentPolicy, styleHashes, logoSvg } from '../../platform/http/html.ts'

/** All requests share its bytes. */
export type StaticFile = {
  readonly type: string
  /** The ETag of each encoding derives from it. */
  readonly digest: string
  readonly content: Buffer
  readonly br?: Buffer
  readonly gzip?: Buffer
}

export function digestFile(content: Buffer): string {
  return hash('sha256', content, 'base64url').slice(0, 22)
}

/** In the smallest encoding that the client takes. */
export function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  file: StaticFile,
  caching: string,
): FastifyReply {
  const { 'accept-encoding': accepted, 'if-none-match': known } = request.headers
  const encoding = chooseEncoding(file, accepted)
  const etag = `"${file.digest}${encoding && `-${encoding}`}"`
  reply.headers({ 'cache-control': caching, etag })
  if (file.gzip) {
    const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat()
    reply.header('vary', vary.join(', '))
  }
  if (isUnchanged(known, etag)) return reply.code(304).send()
  reply.type(file.type)
  if (encoding !== '') reply.header('content-encoding', encoding)
  return sendBytes(reply, encoding === '' ? file.content : file[encoding]!)
}

export function sendBytes(reply: FastifyReply, bytes: Buffer): FastifyReply {
  reply.header('content-length', bytes.length)
  return reply.send(bytes.length <= CHUNK_BYTES ? bytes : toChunkStream(bytes))
}

function chooseEncoding(file: StaticFile, accepted: string | undefined): 'br' | 'gzip' | '' {
  if (accepted === undefined) return ''
  const br = file.br ? getQuality(accepted, /^br$/) : 0
  const gzip = file.gzip ? getQuality(accepted, /^(x-)?gzip$/) : 0
  if (br > 0 && br >= gzip) return 'br'
  return gzip > 0 ? 'gzip' : ''
}

/** @param etag with its quotes */
export function isUnchanged(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  // A proxy that changes the body makes an ETag weak.
  return header.split(',').some((given) => ['*', etag].includes(given.trim().replace(/^W\//, '')))
}

/** Short links and shared dashboards may be crawled; their headers say which may be listed. */
const ROBOTS = `User-agent: *
Disallow: /app/
Disallow: /v1/
Allow: /app/assets/
Allow: /v1/public/
`
/** The dashboard as an app. On phones, a page that is shared with it opens the form of a new link. */
const APP_MANIFEST = {
  id: '/app/',
  name: 'Signpost',
  short_name: 'Signpost',
  start_url: '/app/',
  scope: '/app/',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: '#ffffff',
  icons: [192, 512].map((pixels) => ({
    src: `/app/icon-${pixels}.png`,
    sizes: `${pixels}x${pixels}`,
    type: 'image/png',
    purpose: 'any maskable',
  })),
  share_target: {
    action: '/app/new-link',
    method: 'GET',
    params: { title: 'title', text: 'text', url: 'url' },
  },
}
const DAY = 'public, max-age=86400'

/** Files that browsers and crawlers request from every host. */
export function addSiteFiles(app: FastifyInstance): void {
  const svg = logoSvg()
  // 32 pixels of the SVG, for browsers that show no SVG icon.
  const ico = readFileSync(new URL('favicon.ico', import.meta.url))
  const svgPolicy = contentPolicy({ 'style-src': styleHashes(svg) })
  add(app, '/robots.txt', 'text/plain; charset=utf-8', Buffer.from(ROBOTS))
  add(app, '/favicon.ico', 'image/x-icon', ico)
  add(app, '/favicon.svg', 'image/svg+xml', Buffer.from(svg), svgPolicy)
  for (const { src, sizes } of APP_MANIFEST.icons)
    add(
      app,
      src,
      'image/png',
      readFileSync(new URL(`icon-${sizes.split('x')[0]}.png`, import.meta.url)),
    )
  const manifest = Buffer.from(JSON.stringify(APP_MANIFEST))
  add(app, '/app/manifest.webmanifest', 'application/manifest+json', manifest)
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
