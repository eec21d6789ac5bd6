import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { contentPolicy, htmlDocument } from '../../platform/http/html.ts'
import { digestFile, sendBytes, sendFile, type StaticFile } from '../site/static-file.ts'

const compress = promisify(gzip)

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

export type Reference = {
  base: '/v1' | '/v1/auth'
  write: (origin: string) => { info: { title: string } }
  credential: 'apiKey' | 'session'
}

const renderReference = (base: string, title: string) =>
  htmlDocument({
    title: `${title} API reference`,
    head: ['<link rel="icon" href="/favicon.svg" type="image/svg+xml">'],
    body: `<div id="app"></div>
<script src="${SCRIPT_PATH}"></script>
<script src="${base}/reference/setup.js"></script>`,
  })

/** The page sends no request to another host. */
const renderSetup = ({ base, credential }: Reference) => `Scalar.createApiReference('#app', {
  url: '${base}/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  proxyUrl: '',
  agent: { disabled: true },
  hideClientButton: true,
  hiddenClients: true,
  showDeveloperTools: 'never',
  mcp: { disabled: true },
  orderSchemaPropertiesBy: 'preserve',
  authentication: { preferredSecurityScheme: '${credential}' },
})
`

/**
 * `publicUrl` is null for the host of the request. Examples, which are programs, then have the address on this machine.
 */
type Origins = { publicUrl: string | null; ofExamples: string }

export function addDocuments(
  app: FastifyInstance,
  references: readonly Reference[],
  origins: Origins,
): void {
  let script: Promise<Buffer> | undefined
  for (const reference of references) addReference(app, reference, origins)
  app.get(SCRIPT_PATH, async (_request, reply) => {
    script ??= readReferenceScript()
    reply.headers({ 'content-encoding': 'gzip', 'cache-control': 'public, max-age=3600' })
    return sendBytes(reply.type('text/javascript; charset=utf-8'), await script)
  })
}

function addReference(app: FastifyInstance, reference: Reference, origins: Origins): void {
  const { base } = reference
  let written: Promise<{ title: string; file: StaticFile }> | undefined
  // Written at the first visit, since most processes have none.
  const read = () => (written ??= writeDocument(reference, origins))
  app.get(`${base}/openapi.json`, async (request, reply) =>
    sendFile(request, reply, (await read()).file, 'no-cache'),
  )
  app.get(`${base}/reference`, async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': REFERENCE_POLICY,
        'referrer-policy': 'no-referrer',
        'x-frame-options': 'DENY',
      })
      .type('text/html; charset=utf-8')
      .send(renderReference(base, (await read()).title)),
  )
  app.get(`${base}/reference/setup.js`, async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(renderSetup(reference)),
  )
}

async function writeDocument({ write }: Reference, { publicUrl, ofExamples }: Origins) {
  const document = write(ofExamples)
  // A relative address is relative to the document.
  const content = Buffer.from(
    JSON.stringify({ servers: [{ url: `${publicUrl ?? ''}/v1` }], ...document }),
  )
  const file = {
    type: 'application/json; charset=utf-8',
    digest: digestFile(content),
    content,
    gzip: await compress(content),
  }
  return { title: document.info.title, file }
}

/** Scalar's Fastify plugin is the only package with its one-file build. */
async function readReferenceScript(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(scalar, { routePrefix: '/r', configuration: { content: {} } })
  const { rawPayload } = await app.inject('/r/js/scalar.js')
  await app.close()
  return compress(rawPayload)
}
