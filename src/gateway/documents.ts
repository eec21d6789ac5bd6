import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'

const SCRIPT_PATH = '/v1/reference/reference.js'

/** Styles are written by the script at run time, so they are allowed inline; scripts are not. */
const REFERENCE_CSP =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; " +
  "img-src 'self' data: blob:; font-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** One reference: its page at `<base>/reference`, its document at `<base>/openapi.json`. */
export type Reference = {
  base: '/v1' | '/v1/auth'
  document: { info: { title: string } }
  /** The credential that the page offers first. */
  credential: 'apiKey' | 'session'
}

/** Where a client sees this server: PUBLIC_URL, or the host that the request names. */
type OriginOf = (request: FastifyRequest) => string

const pageOf = ({ base, document }: Reference) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${document.info.title} API reference</title>
</head>
<body>
<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script src="${base}/reference/setup.js"></script>
</body>
</html>
`

/** No request leaves for another host: no hosted fonts, no proxy, no telemetry, no assistant. */
const setupOf = ({ base, credential }: Reference) => `Scalar.createApiReference('#app', {
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

/** The API's own documents, public by the contract: OpenAPI as JSON, and an interactive reference. */
export function addDocuments(
  app: FastifyInstance,
  references: readonly Reference[],
  originOf: OriginOf,
): void {
  let script: Promise<Buffer> | undefined
  for (const reference of references) addReference(app, reference, originOf)
  app.get(SCRIPT_PATH, async (_request, reply) => {
    script ??= readReferenceScript()
    return reply
      .headers({ 'content-encoding': 'gzip', 'cache-control': 'public, max-age=3600' })
      .type('text/javascript; charset=utf-8')
      .send(await script)
  })
}

function addReference(app: FastifyInstance, reference: Reference, originOf: OriginOf): void {
  const { base } = reference
  const afterServers = JSON.stringify(reference.document).slice(1)
  app.get(`${base}/openapi.json`, async (request, reply) => {
    const servers = JSON.stringify([{ url: `${originOf(request)}/v1` }])
    return reply
      .type('application/json; charset=utf-8')
      .header('cache-control', 'no-cache')
      .send(`{"servers":${servers},${afterServers}`)
  })
  app.get(`${base}/reference`, async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': REFERENCE_CSP,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(pageOf(reference)),
  )
  app.get(`${base}/reference/setup.js`, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(setupOf(reference)),
  )
}

/**
 * Scalar ships its one-file build inside its Fastify plugin and nowhere else on its own, so the
 * plugin is asked for it once, at the first visit, and only the compressed bytes are kept.
 */
async function readReferenceScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(scalar, { routePrefix: '/r', configuration: { content: {} } })
  const { rawPayload } = await shelf.inject('/r/js/scalar.js')
  await shelf.close()
  return gzipSync(rawPayload)
}

/** The version in package.json, as `/health` and the document state it. */
export async function readVersion(): Promise<string> {
  const text = await readFile(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { version: string }).version
}
