import { CodeChallengeMethod, OAuth2Client } from 'arctic'
import * as oidc from 'openid-client'
import { OperatorError } from '../../base/errors.ts'
import { withinMs } from '../../base/service.ts'

/**
 * Who a person may sign in with. What speaks OpenID Connect (any issuer, Google, Microsoft) goes
 * through `openid-client`, which checks signature, issuer, audience, nonce and times of the ID
 * token; GitHub, which speaks OAuth 2 alone, through `arctic`. Both with state and PKCE (S256).
 */
export type Provider = {
  readonly id: string
  readonly name: string
  /** @throws ProviderError */
  authorizationUrl(attempt: Attempt): Promise<URL>
  /**
   * Trades the code of a callback for who it is.
   * @param callback the address the browser came back to; its state has been compared already
   * @throws ProviderError
   */
  identify(callback: URL, attempt: Attempt): Promise<Identity>
}

/** One attempt to sign in: what goes to the provider and has to come back. */
export type Attempt = {
  state: string
  nonce: string
  codeVerifier: string
  redirectUri: string
  /** Let the person choose: without it a provider may answer with an account nobody meant. */
  mustChoose: boolean
}

/** `issuer` and `subject` name the person for good; the address may change hands. */
export type Identity = {
  issuer: string
  subject: string
  email: string | null
  /** The provider vouches that the address is this person's. */
  isEmailVerified: boolean
  name: string | null
}

/** `unavailable`: no use of the provider now; `refused`: it says no; `invalid`: its answer is not to be believed. */
export class ProviderError extends Error {
  override name = 'ProviderError'
  readonly kind: 'unavailable' | 'refused' | 'invalid'

  constructor(kind: ProviderError['kind'], cause: unknown) {
    super(`the provider is ${kind}: ${reasonOf(cause)}`, { cause })
    this.kind = kind
  }
}

/** Named like their settings in the configuration. */
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

const TIME_LIMIT_MS = 10_000

/**
 * The configured providers, by id and in the order they are shown.
 * @throws OperatorError when one is configured in part
 */
export function createProviders(settings: ProviderSettings): ReadonlyMap<string, Provider> {
  const own = allOrNone({
    OIDC_ISSUER: settings.oidcIssuer,
    OIDC_CLIENT_ID: settings.oidcClientId,
    OIDC_CLIENT_SECRET: settings.oidcClientSecret,
  })
  const google = pairOf('GOOGLE', settings.googleClientId, settings.googleClientSecret)
  const github = pairOf('GITHUB', settings.githubClientId, settings.githubClientSecret)
  const microsoft = pairOf('MICROSOFT', settings.microsoftClientId, settings.microsoftClientSecret)
  const providers = [
    own &&
      createOidcProvider({
        id: 'oidc',
        name: settings.oidcName,
        issuer: new URL(own.OIDC_ISSUER),
        clientId: own.OIDC_CLIENT_ID,
        clientSecret: own.OIDC_CLIENT_SECRET,
        isEmailVerified: saysVerified,
      }),
    google &&
      createOidcProvider({
        id: 'google',
        name: 'Google',
        issuer: new URL('https://accounts.google.com'),
        ...google,
        isEmailVerified: saysVerified,
      }),
    github && createGithubProvider(github),
    microsoft &&
      createOidcProvider({
        id: 'microsoft',
        name: 'Microsoft',
        issuer: new URL(`https://login.microsoftonline.com/${settings.microsoftTenant}/v2.0`),
        ...microsoft,
        isEmailVerified: (claims) => isMicrosoftEmailVerified(claims, settings.microsoftTenant),
      }),
  ].filter((each) => each !== null)
  return new Map(providers.map((each) => [each.id, withTimeLimit(each)]))
}

type Client = { clientId: string; clientSecret: string }
type Claims = Readonly<Record<string, unknown>>

function pairOf(prefix: string, id: string | null, secret: string | null): Client | null {
  const found = allOrNone({ [`${prefix}_CLIENT_ID`]: id, [`${prefix}_CLIENT_SECRET`]: secret })
  if (!found) return null
  return {
    clientId: found[`${prefix}_CLIENT_ID`]!,
    clientSecret: found[`${prefix}_CLIENT_SECRET`]!,
  }
}

/** @throws OperatorError naming the first one that is missing */
function allOrNone<const N extends string>(
  values: Record<N, string | null>,
): Record<N, string> | null {
  const names = Object.keys(values) as N[]
  const missing = names.filter((name) => values[name] === null)
  if (missing.length === names.length) return null
  if (missing.length === 0) return values as Record<N, string>
  const set = names.filter((name) => values[name] !== null)
  throw new OperatorError(
    `${missing.join(' and ')} must be set as well, because ${set.join(' and ')} ${set.length === 1 ? 'is' : 'are'}.`,
  )
}

/** Some providers say it as a text. */
function saysVerified(claims: Claims): boolean {
  return claims.email_verified === true || claims.email_verified === 'true'
}

/** Tenants of everybody: any administrator of any of them may write any address into an account. */
const OPEN_TENANTS = ['common', 'organizations', 'consumers']

/** With one tenant of their own, the operator trusts its administrators. */
function isMicrosoftEmailVerified(claims: Claims, tenant: string): boolean {
  if (!OPEN_TENANTS.includes(tenant.toLowerCase())) return true
  return [true, 1, '1', 'true'].includes(claims.xms_edov as string)
}

type OidcOptions = Client & {
  id: string
  name: string
  issuer: URL
  isEmailVerified: (claims: Claims) => boolean
}

function createOidcProvider(options: OidcOptions): Provider {
  let found: Promise<oidc.Configuration> | null = null

  /** Read once; a failure is forgotten, so that the next sign-in asks again. */
  function configuration(): Promise<oidc.Configuration> {
    found ??= discover(options).catch((error: unknown) => {
      found = null
      throw error
    })
    return found
  }

  return {
    id: options.id,
    name: options.name,
    async authorizationUrl(attempt) {
      const config = await configuration()
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
      const config = await configuration()
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
        isEmailVerified: options.isEmailVerified(claims),
        name: textOrNull(claims.name),
      }
    },
  }
}

/**
 * Some providers keep the address out of the ID token. Wherever it is from, whether it is verified
 * is said by the same answer.
 */
async function withEmail(
  config: oidc.Configuration,
  accessToken: string,
  idToken: Claims & { sub: string },
): Promise<Claims> {
  if (idToken.email !== undefined || !config.serverMetadata().userinfo_endpoint) return idToken
  const more = await oidc.fetchUserInfo(config, accessToken, idToken.sub)
  return { ...idToken, email_verified: undefined, ...more }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions) {
  const config = await oidc.discovery(
    issuer,
    clientId,
    clientSecret,
    // What it takes; without a word about it, what the standard says it takes.
    (server, client, body, headers) => {
      const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
      const isBasic = methods.includes('client_secret_basic')
      const auth = isBasic ? oidc.ClientSecretBasic : oidc.ClientSecretPost
      return auth(clientSecret)(server, client, body, headers)
    },
    {
      timeout: TIME_LIMIT_MS / 1_000,
      // The settings let http through for loopback alone.
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

/** @param endpoints others than GitHub's own: of a GitHub Enterprise Server, or of a test */
export function createGithubProvider(
  { clientId, clientSecret }: Client,
  endpoints = GITHUB_ENDPOINTS,
): Provider {
  const clientFor = (redirectUri: string) => new OAuth2Client(clientId, clientSecret, redirectUri)

  async function ask(path: string, accessToken: string): Promise<unknown> {
    const answer = await fetch(`${endpoints.api}${path}`, {
      headers: {
        authorization: `Bearer ${accessToken}`,
        accept: 'application/vnd.github+json',
        'user-agent': 'signpost',
      },
      redirect: 'error',
      signal: AbortSignal.timeout(TIME_LIMIT_MS),
    })
    if (!answer.ok) throw new ProviderError('unavailable', `status ${answer.status} of ${path}`)
    return answer.json()
  }

  return {
    id: 'github',
    name: 'GitHub',
    async authorizationUrl(attempt) {
      const url = clientFor(attempt.redirectUri).createAuthorizationURLWithPKCE(
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
      const tokens = await clientFor(attempt.redirectUri).validateAuthorizationCode(
        endpoints.token,
        callback.searchParams.get('code') ?? '',
        attempt.codeVerifier,
      )
      // It refuses a code with status 200.
      if ('error' in tokens.data) throw new ProviderError('refused', tokens.data.error)
      const [user, emails] = await Promise.all([
        ask('/user', tokens.accessToken()),
        ask('/user/emails', tokens.accessToken()),
      ])
      return readGithub(user as Claims, emails)
    },
  }
}

/** The numeric id stays when the login is renamed and taken by somebody else. */
function readGithub(user: Claims, emails: unknown): Identity {
  if (typeof user.id !== 'number') throw new ProviderError('invalid', 'no id')
  const primary = (Array.isArray(emails) ? (emails as Claims[]) : []).find((each) => each.primary)
  return {
    issuer: 'https://github.com',
    subject: String(user.id),
    email: addressOrNull(primary?.email),
    isEmailVerified: primary?.verified === true,
    name: textOrNull(user.name) ?? textOrNull(user.login),
  }
}

/** Ten seconds for all that is asked, and one kind of error. */
function withTimeLimit(provider: Provider): Provider {
  const limited = <T>(work: Promise<T>) =>
    withinMs(work, TIME_LIMIT_MS).catch((error: unknown) => {
      throw toProviderError(error)
    })
  return {
    ...provider,
    authorizationUrl: (attempt) => limited(provider.authorizationUrl(attempt)),
    identify: (callback, attempt) => limited(provider.identify(callback, attempt)),
  }
}

/** What these libraries throw when the answer arrived and says something wrong. */
const NOT_BELIEVED = new Set([
  'OAUTH_INVALID_RESPONSE',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
  'OAUTH_PARSE_ERROR',
  'OAUTH_INVALID_REQUEST',
])
const GRANT_REFUSED = ['invalid_grant', 'bad_verification_code', 'access_denied']

/** Exported for providers built outside {@link createProviders}. */
function toProviderError(error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  const { code, error: refusal } = error as { code?: string; error?: string }
  // Arctic says the refusal in `code`.
  if (GRANT_REFUSED.includes(refusal ?? code ?? '')) return new ProviderError('refused', error)
  if (code !== undefined && NOT_BELIEVED.has(code)) return new ProviderError('invalid', error)
  return new ProviderError('unavailable', error)
}

/** Never the answer itself, which may hold tokens. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  const { code, error } = cause as { code?: string; error?: string }
  return [cause.message, code, error].filter((part) => part !== undefined).join(', ')
}

/** As the provider wrote it: an address that has to be changed first is not the one it verified. */
function addressOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : null
}
