import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import { contentPolicy, htmlDocument } from '../base/html.ts'

const SCRIPT_PATH = '/v1/reference/reference.js'

/** Allows inline styles, which the script writes at run time, but no inline scripts. */
const REFERENCE_POLICY = contentPolicy({
  'script-src': "'self'",
  'style-src': "'self' 'unsafe-inline'",
  'connect-src': "'self'",
  'img-src': "'self' data: blob:",
  'font-src': "'self' data:",
  'form-action': "'none'",
})

/** One reference: its page at `<base>/reference`, its document at `<base>/openapi.json`. */
export type Reference = {
  base: '/v1' | '/v1/auth'
  /** Writes the document. */
  write: () => { info: { title: string } }
  /** The credential that the page offers first. */
  credential: 'apiKey' | 'session'
}

/** The address of this server for a client: PUBLIC_URL, or the host that the request names. */
type GetOrigin = (request: FastifyRequest) => string

const renderReference = (base: string, title: string) =>
  htmlDocument({
    title: `${title} API reference`,
    head: ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">'],
    body: `<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script src="${base}/reference/setup.js"></script>`,
  })

/** The reference sends no request to another host: no hosted fonts, proxy, telemetry or assistant. */
const renderSetup = ({ base, credential }: Reference) => `Scalar.createApiReference('#app', {
  url: '${base}/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: '${credential}' },
})
`

/** Adds the public documents of the API (contract): OpenAPI as JSON, and an interactive reference. */
export function addDocuments(
  app: FastifyInstance,
  references: readonly Reference[],
  getOrigin: GetOrigin,
): void {
  let script: Promise<Buffer> | undefined
  for (const reference of references) addReference(app, reference, getOrigin)
  app.get(SCRIPT_PATH, async (_request, reply) => {
    script ??= readReferenceScript()
    return reply
      .headers({ 'content-encoding': 'gzip', 'cache-control': 'public, max-age=3600' })
      .type('text/javascript; charset=utf-8')
      .send(await script)
  })
}

function addReference(app: FastifyInstance, reference: Reference, getOrigin: GetOrigin): void {
  const { base } = reference
  let written: { title: string; afterServers: string } | undefined
  // Written at the first visit: most processes have none, and start sooner without.
  const read = () => {
    if (!written) {
      const document = reference.write()
      written = { title: document.info.title, afterServers: JSON.stringify(document).slice(1) }
    }
    return written
  }
  app.get(`${base}/openapi.json`, async (request, reply) => {
    const { afterServers } = read()
    const servers = JSON.stringify([{ url: `${getOrigin(request)}/v1` }])
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`{"servers":${servers},${afterServers}`)
  })
  app.get(`${base}/reference`, async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': REFERENCE_POLICY,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(renderReference(base, read().title)),
  )
  app.get(`${base}/reference/setup.js`, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(renderSetup(reference)),
  )
}

/**
 * Reads the script from Scalar's Fastify plugin, the only package with its one-file build. This happens
 * at the first visit, and only the compressed bytes are kept.
 */
async function readReferenceScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/r', configuration: { content: {} } })
  const { rawPayload } = await app.inject('/r/js/scalar.js')
  await app.close()
  return gzipSync(rawPayload)
}

/** The version in package.json, as in `/health` and the document. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
