import { route } from '../../platform/routes/route.ts'
import { answerOAuth } from './answers.ts'
import { registerClient, type ClientsDeps } from './clients.ts'
import type { AppRequests } from './requests.ts'
import * as shapes from './schema.ts'
import type { AppTokens } from './tokens.ts'

type OAuth = { clients: ClientsDeps; requests: AppRequests; tokens: AppTokens }

const tag = 'Apps'

export const oauthRoutes = (oauth: OAuth) => [...protocolRoutes(oauth), ...consentRoutes(oauth)]

/** For programs, as OAuth defines them. Only requests that store something have the strict limit. */
const protocolRoutes = ({ clients, requests, tokens }: OAuth) => {
  const open = { requires: { credential: 'none' }, tag, accepts: 'form' } as const
  return [
    route('GET /auth/oauth/authorize', {
      requires: { credential: 'none' },
      tier: 'auth',
      tag,
      name: 'authorizeApp',
      summary: 'Ask the user to allow an app (RFC 6749, with PKCE)',
      description:
        'Opens the page of the dashboard that asks the user. Mistakes of the app get a page.',
      shapes: { query: shapes.AuthorizeQuery },
      handle: (caller, { query }) => requests.authorize(caller, query),
    }),
    route('POST /auth/oauth/device', {
      ...open,
      tier: 'auth',
      name: 'startDevice',
      plainReply: shapes.DeviceStarted,
      summary: 'Start the sign-in of a device (RFC 8628)',
      description:
        'Answers a code that the user types in the dashboard. For the command line of Signpost.',
      shapes: { body: shapes.StartDevice },
      handle: (caller, { body }) => answerOAuth(() => requests.startDevice(caller, body)),
    }),
    route('POST /auth/oauth/register', {
      ...open,
      tier: 'auth',
      status: 201,
      name: 'registerClient',
      plainReply: shapes.RegisteredClient,
      summary: 'Register an app (RFC 7591)',
      description: 'Answers a client_id, which holds the registration; nothing is stored.',
      shapes: { body: shapes.RegisterClient },
      handle: (_caller, { body }) =>
        answerOAuth(async () => toRegistration(registerClient(clients, body)), 201),
    }),
    route('POST /auth/oauth/token', {
      ...open,
      name: 'requestToken',
      plainReply: shapes.Tokens,
      summary: 'Exchange a code or a refresh token for a key (RFC 6749)',
      description:
        'The access token is an API key that lasts an hour. A refresh token counts once.',
      shapes: { body: shapes.RequestToken },
      handle: (caller, { body }) => answerOAuth(() => tokens.token(caller, body)),
    }),
    route('POST /auth/oauth/revoke', {
      ...open,
      name: 'revokeToken',
      plainReply: shapes.Revoked,
      summary: 'Revoke the key of an app (RFC 7009)',
      description:
        'Ends the key and its refresh token at once. The answer is the same for an unknown token.',
      shapes: { body: shapes.RevokeToken },
      handle: (caller, { body }) => answerOAuth(() => tokens.revoke(caller, body)),
    }),
  ]
}

const consentRoutes = ({ requests }: OAuth) => {
  const own = { requires: { credential: 'session' }, tag, errors: ['NOT_FOUND'] } as const
  return [
    route('GET /auth/oauth/requests/:request', {
      ...own,
      name: 'getAppRequest',
      summary: 'Read what an app asks for',
      description: 'For the page that asks the user.',
      shapes: { params: shapes.RequestParams, reply: shapes.AppRequest },
      handle: (caller, { params }) => requests.read(caller, params.request),
    }),
    route('POST /auth/oauth/requests/:request/allow', {
      ...own,
      errors: ['NOT_FOUND', 'FORBIDDEN', 'CONFLICT', 'PLAN_LIMIT_REACHED'],
      name: 'allowApp',
      summary: 'Allow an app',
      description: 'Makes an API key for the app. Needs the role `admin` in the workspace.',
      shapes: { params: shapes.RequestParams, body: shapes.AllowApp, reply: shapes.AppAnswer },
      handle: (caller, { params, body }) => requests.allow(caller, params.request, body),
    }),
    route('POST /auth/oauth/requests/:request/deny', {
      ...own,
      errors: ['NOT_FOUND', 'CONFLICT'],
      name: 'denyApp',
      summary: 'Deny an app',
      description: 'Ends the request.',
      shapes: { params: shapes.RequestParams, reply: shapes.AppAnswer },
      handle: (caller, { params }) => requests.deny(caller, params.request),
    }),
  ]
}

function toRegistration({ id, name, redirectUris }: ReturnType<typeof registerClient>) {
  return {
    client_id: id,
    client_name: name,
    redirect_uris: redirectUris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}
