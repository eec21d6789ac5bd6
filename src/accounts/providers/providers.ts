import type * as OpenId from 'openid-client'
import { OperatorError } from '../../platform/core/errors.ts'
import { withinMs } from '../../platform/core/service.ts'

/**
 * OpenID Connect uses `openid-client`; GitHub, which only has OAuth 2, `arctic`. Both with state and PKCE (S256).
 * The first sign-in loads the library, which saves memory without a provider.
 */
export type Provider = {
  readonly id: string
  readonly name: string
  authorizationUrl(attempt: Attempt): Promise<URL>
  identify(callback: URL, attempt: Attempt): Promise<Identity>
}

export type Attempt = {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** Lets the user choose the account; otherwise a provider may answer with its current one. */
  mustChoose: boolean
}

/** `issuer` and `subject` identify an account permanently; an address may change its owner. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
}

/** `invalid`: the provider's answer fails a check. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: 'unavailable' | 'refused' | 'invalid'

  constructor(kind: ProviderError['kind'], cause: unknown) {
    super(`the provider is ${kind}: ${describeCause(cause)}`, { cause })
    this.kind = kind
  }
}

export type ProviderSettings = {
  oidcIssuer: string | null
  oidcClientId: string | null
  oidcClientSecret: string | null
  oidcName: string
  googleClientId: string | null
  googleClientSecret: string | null
  githubClientId: string | null
  githubClientSecret: string | null
  microsoftClientId: string | null
  microsoftClientSecret: string | null
  microsoftTenant: string
}

const TIMEOUT_MS = 10_000

const loadOpenId = () => import('openid-client')
const loadArctic = () => import('arctic')

/** @throws OperatorError when one is configured in part */
export function createProviders(settings: ProviderSettings): ReadonlyMap<string, Provider> {
  const { oidcIssuer, oidcName, microsoftTenant } = settings
  const readClientOf = (name: 'google' | 'github' | 'microsoft') =>
    readClient(name.toUpperCase(), settings[`${name}ClientId`], settings[`${name}ClientSecret`])
  const own = readClient('OIDC', settings.oidcClientId, settings.oidcClientSecret, {
    OIDC_ISSUER: oidcIssuer,
  })
  const google = readClientOf('google')
  const github = readClientOf('github')
  const microsoft = readClientOf('microsoft')
  const providers = [
    own && createOidcProvider('oidc', oidcName, { ...own, issuer: new URL(oidcIssuer!) }),
    google &&
      createOidcProvider('google', 'Google', {
        ...google,
        issuer: new URL('https://accounts.google.com'),
      }),
    github && createGithubProvider(github),
    microsoft &&
      createOidcProvider('microsoft', 'Microsoft', {
        ...microsoft,
        issuer: new URL(`https://login.microsoftonline.com/${microsoftTenant}/v2.0`),
        isEmailVerified: (claims) => isMicrosoftEmailVerified(claims, microsoftTenant),
      }),
  ].filter((provider) => provider !== null)
  return new Map(providers.map((provider) => [provider.id, withTimeout(provider)]))
}

type Client = { clientId: string; clientSecret: string }
type Claims = Readonly<Record<string, unknown>>

function readClient(
  prefix: string,
  clientId: string | null,
  clientSecret: string | null,
  others: Record<string, string | null> = {},
): Client | null {
  const values = {
    ...others,
    [`${prefix}_CLIENT_ID`]: clientId,
    [`${prefix}_CLIENT_SECRET`]: clientSecret,
  }
  const set = Object.keys(values).filter((name) => values[name] !== null)
  if (set.length === 0) return null
  const missing = Object.keys(values).filter((name) => values[name] === null)
  if (missing.length === 0) return { clientId: clientId!, clientSecret: clientSecret! }
  throw new OperatorError(
    `${missing.join(' and ')} must be set as well, because ${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'}.`,
  )
}

/** Some providers send a text instead of a boolean. */
function isMarkedVerified(claims: Claims): boolean {
  return claims.email_verified === true || claims.email_verified === 'true'
}

/** Tenants with accounts of every organization: any administrator may enter any address there. */
const OPEN_TENANTS = ['common', 'organizations', 'consumers']

/** With a single tenant, the operator trusts its administrators. */
function isMicrosoftEmailVerified(claims: Claims, tenant: string): boolean {
  if (!OPEN_TENANTS.includes(tenant.toLowerCase())) return true
  return [true, 1, '1', 'true'].includes(claims.xms_edov as string)
}

type OidcOptions = Client & { issuer: URL; isEmailVerified?: (claims: Claims) => boolean }

function createOidcProvider(id: string, name: string, options: OidcOptions): Provider {
  const { isEmailVerified = isMarkedVerified } = options
  let found: Promise<OpenId.Configuration> | null = null

  /** Fetched once; after a failure the next sign-in tries again. */
  function configuration(): Promise<OpenId.Configuration> {
    found ??= discover(options).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }

  return {
    id,
    name,
    async authorizationUrl(attempt) {
      const [oidc, config] = await Promise.all([loadOpenId(), configuration()])
      return oidc.buildAuthorizationUrl(config, {
        redirect_uri: attempt.redirectUri,
        scope: 'openid email profile',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        ...(attempt.mustChoose ? { prompt: 'select_account' } : {}),
      })
    },
    async identify(callback, attempt) {
      const [oidc, config] = await Promise.all([loadOpenId(), configuration()])
      const tokens = await oidc.authorizationCodeGrant(config, callback, {
        pkceCodeVerifier: attempt.codeVerifier,
        expectedState: attempt.state,
        expectedNonce: attempt.nonce,
        idTokenExpected: true,
      })
      const idToken: Claims & { iss: string; sub: string } = tokens.claims()!
      const claims = await withEmail(config, tokens.access_token, idToken)
      return {
        issuer: idToken.iss,
        subject: idToken.sub,
        email: addressOrNull(claims.email),
        isEmailVerified: isEmailVerified(claims),
        name: textOrNull(claims.name),
      }
    },
  }
}

/** Some ID tokens have no address. The address and its verification always come from the same answer. */
async function withEmail(
  config: OpenId.Configuration,
  accessToken: string,
  idToken: Claims & { sub: string },
): Promise<Claims> {
  if (idToken.email !== undefined || !config.serverMetadata().userinfo_endpoint) return idToken
  const oidc = await loadOpenId()
  const more = await oidc.fetchUserInfo(config, accessToken, idToken.sub)
  return { ...idToken, email_verified: undefined, ...more }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions) {
  const oidc = await loadOpenId()
  const config = await oidc.discovery(
    issuer,
    clientId,
    clientSecret,
    // A method that the provider supports; the standard's default if it names none.
    (server, client, body, headers) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const isBasic = methods.includes('client_secret_basic')
      const auth = isBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost
      return auth(clientSecret)(server, client, body, headers)
    },
    {
      timeout: TIMEOUT_MS / 1_000,
      // The settings accept http for loopback addresses only.
      execute: issuer.protocol === 'http:' ? [oidc.allowInsecureRequests] : [],
    },
  )
  oidc.enableNonRepudiationChecks(config)
  return config
}

const GITHUB_ENDPOINTS = {
  authorization: 'https://github.com/login/oauth/authorize',
  token: 'https://github.com/login/oauth/access_token',
  api: 'https://api.github.com',
}

/** @param endpoints of a GitHub Enterprise Server, or of a test */
export function createGithubProvider(
  { clientId, clientSecret }: Client,
  endpoints = GITHUB_ENDPOINTS,
): Provider {
  async function read(path: string, accessToken: string): Promise<unknown> {
    const answer = await fetch(`${endpoints.api}${path}`, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'signpost',
      },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (!answer.ok) throw new ProviderError('unavailable', `status ${answer.status} of ${path}`)
    return answer.json()
  }

  return {
    id: 'github',
    name: 'GitHub',
    async authorizationUrl(attempt) {
      const { CodeChallengeMethod, OAuth2Client } = await loadArctic()
      const client = new OAuth2Client(clientId, clientSecret, attempt.redirectUri)
      const url = client.createAuthorizationURLWithPKCE(
        endpoints.authorization,
        attempt.state,
        CodeChallengeMethod.S256,
        attempt.codeVerifier,
        ['read:user', 'user:email'],
      )
      if (attempt.mustChoose) url.searchParams.set('prompt', 'select_account')
      return url
    },
    async identify(callback, attempt) {
      const { OAuth2Client } = await loadArctic()
      const client = new OAuth2Client(clientId, clientSecret, attempt.redirectUri)
      const tokens = await client.validateAuthorizationCode(
        endpoints.token,
        callback.searchParams.get('code') ?? '',
        attempt.codeVerifier,
      )
      // GitHub refuses a code with status 200.
      if ('error' in tokens.data) throw new ProviderError('refused', tokens.data.error)
      const [user, emails] = await Promise.all([
        read('/user', tokens.accessToken()),
        read('/user/emails', tokens.accessToken()),
      ])
      return readGithub(user as Claims, emails)
    },
  }
}

/** The numeric id is permanent, while a login can be renamed and reused by another user. */
function readGithub(user: Claims, emails: unknown): Identity {
  if (typeof user.id !== 'number') throw new ProviderError('invalid', 'no id')
  const primary = (Array.isArray(emails) ? (emails as Claims[]) : []).find((entry) => entry.primary)
  return {
    issuer: 'https://github.com',
    subject: String(user.id),
    email: addressOrNull(primary?.email),
    isEmailVerified: primary?.verified === true,
    name: textOrNull(user.name) ?? textOrNull(user.login),
  }
}

function withTimeout(provider: Provider): Provider {
  const limited = <T>(work: Promise<T>) =>
    withinMs(work, TIMEOUT_MS).catch((error: unknown) => {
      throw toProviderError(error)
    })
  return {
    ...provider,
    authorizationUrl: (attempt) => limited(provider.authorizationUrl(attempt)),
    identify: (callback, attempt) => limited(provider.identify(callback, attempt)),
  }
}

const INVALID_ANSWER_CODES = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_REQUEST',
])
const GRANT_REFUSED = ['invalid_grant', 'bad_verification_code', 'access_denied']

function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const { code, error: refusal } = error as { code?: string; error?: string }
  // Arctic names the refusal in `code`.
  if (GRANT_REFUSED.includes(refusal ?? code ?? '')) return new ProviderError('refused', error)
  if (code !== undefined && INVALID_ANSWER_CODES.has(code))
    return new ProviderError('invalid', error)
  return new ProviderError('unavailable', error)
}

/** Leaves out the answer itself, which may contain tokens. */
function describeCause(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { code, error } = cause as { code?: string; error?: string }
  return [cause.message, code, error].filter((part) => part !== undefined).join(', ')
}

/** Unchanged, since the provider did not verify a normalized address. */
function addressOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
