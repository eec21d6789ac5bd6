import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Route } from '../../platform/routes/route.ts'
import type { Browser } from '../requests/browser.ts'
import { AGENT_OPERATIONS } from './tools.ts'

const SERVER_PATH = '/.well-known/oauth-authorization-server'
const RESOURCE_PATH = '/.well-known/oauth-protected-resource'
/** Pages read the documents too. */
const HEADERS = { 'access-control-allow-origin': '*', 'cache-control': 'public, max-age=300' }

type Deps = { routes: readonly Route[]; browser: Pick<Browser, 'getOrigin'> }

/** By these documents an agent finds out where its user allows it (RFC 8414 and 9728). */
export function addOAuthMetadata(app: FastifyInstance, { routes, browser }: Deps): void {
  const add = (path: string, write: (origin: string) => object) =>
    app.get(path, async (request, reply) =>
      reply.headers(HEADERS).send(write(browser.getOrigin(request))),
    )
  const ofAgents = routes.filter(({ name }) => AGENT_OPERATIONS.has(name))
  add(SERVER_PATH, (origin) => describeServer(origin, scopesOf(routes)))
  add(RESOURCE_PATH, (origin) => describeResource(origin, origin, scopesOf(ofAgents)))
  add(`${RESOURCE_PATH}/mcp`, (origin) =>
    describeResource(origin, `${origin}/mcp`, scopesOf(ofAgents)),
  )
}

/** For an answer 401 of `/mcp`. */
export function toChallenge(browser: Pick<Browser, 'getOrigin'>, request: FastifyRequest): string {
  return `Bearer resource_metadata="${browser.getOrigin(request)}${RESOURCE_PATH}/mcp"`
}

function describeServer(origin: string, scopes: readonly string[]) {
  const base = `${origin}/v1/auth/oauth`
  return {
    issuer: origin,
    authorization_endpoint: `${base}/authorize`,
    token_endpoint: `${base}/token`,
    registration_endpoint: `${base}/register`,
    revocation_endpoint: `${base}/revoke`,
    device_authorization_endpoint: `${base}/device`,
    response_types_supported: ['code'],
    grant_types_supported: [
      'authorization_code',
      'refresh_token',
      'urn:ietf:params:oauth:grant-type:device_code',
    ],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
    revocation_endpoint_auth_methods_supported: ['none'],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
    scopes_supported: scopes,
    service_documentation: `${origin}/v1/auth/reference`,
  }
}

function describeResource(origin: string, resource: string, scopes: readonly string[]) {
  return {
    resource,
    authorization_servers: [origin],
    bearer_methods_supported: ['header'],
    scopes_supported: scopes,
    resource_name: 'Signpost',
  }
}

function scopesOf(routes: readonly Route[]): string[] {
  return [...new Set(routes.flatMap(({ requires }) => requires.scope ?? []))].toSorted()
}
