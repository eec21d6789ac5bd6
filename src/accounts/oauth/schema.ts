import { Type, type Static } from 'typebox'
import { described, documented, object } from '../../platform/routes/shape.ts'
import {
  idInput,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'
import { SCOPES } from '../api-keys/scopes.ts'

const EXAMPLE_CLIENT = 'https://app.example.com/oauth/client.json'
const EXAMPLE_REDIRECT = 'https://app.example.com/oauth/callback'
const EXAMPLE_VERIFIER = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
const EXAMPLE_SCOPE = 'links:write analytics:read'

/** The rules check what is in it, and answer as OAuth asks. */
const given = (description: string, example: string, maxLength = 2_048) =>
  Type.Optional(text(description, example, { maxLength }))

const words = (description: string, example: readonly string[]) =>
  described(Type.Array(Type.String()), description, example)

const clientId = given(
  'The app: its registered id, or the address of its description.',
  EXAMPLE_CLIENT,
  3_072,
)
const scope = given('The scopes that the app asks for, with spaces between them.', EXAMPLE_SCOPE)
const resource = given('An address of this server (RFC 8707).', 'https://links.example.com/mcp')
const redirectUri = given('Where the browser returns to.', EXAMPLE_REDIRECT)

export const AuthorizeQuery = Type.Object({
  response_type: given('`code`.', 'code'),
  client_id: clientId,
  redirect_uri: redirectUri,
  scope,
  state: given('Comes back unchanged.', 'af0ifjsldkj'),
  code_challenge: given(
    'SHA-256 of the verifier, in base64url.',
    'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  ),
  code_challenge_method: given('`S256`.', 'S256'),
  resource,
})
export type AuthorizeQuery = Static<typeof AuthorizeQuery>

export const StartDevice = object(
  'StartDevice',
  { client_id: clientId, scope },
  { examples: [{ client_id: 'signpost-cli', scope: EXAMPLE_SCOPE }] },
)
export type StartDevice = Static<typeof StartDevice>

export const RequestToken = object(
  'RequestToken',
  {
    grant_type: given(
      '`authorization_code`, `refresh_token` or `urn:ietf:params:oauth:grant-type:device_code`.',
      'authorization_code',
    ),
    client_id: clientId,
    code: given('The code of the authorization.', 'c0dE'),
    redirect_uri: redirectUri,
    code_verifier: given('The verifier of PKCE.', EXAMPLE_VERIFIER),
    refresh_token: given('The newest refresh token.', 'spr_EXAMPLE'),
    device_code: given('The code of the device.', 'd3v1c3'),
    resource,
  },
  {
    examples: [
      {
        grant_type: 'authorization_code',
        client_id: EXAMPLE_CLIENT,
        code: 'c0dE',
        redirect_uri: EXAMPLE_REDIRECT,
        code_verifier: EXAMPLE_VERIFIER,
      },
    ],
  },
)
export type RequestToken = Static<typeof RequestToken>

export const RevokeToken = object(
  'RevokeToken',
  { token: given('The key or the refresh token of an app.', 'spr_EXAMPLE') },
  { examples: [{ token: 'spr_EXAMPLE' }] },
)
export type RevokeToken = Static<typeof RevokeToken>

export const RegisterClient = object(
  'RegisterClient',
  {
    client_name: Type.Optional(
      Type.Unknown({ description: 'Name of the app.', examples: ['Example'] }),
    ),
    redirect_uris: Type.Optional(
      Type.Unknown({
        description: 'Up to 10 addresses that the browser may return to.',
        examples: [[EXAMPLE_REDIRECT]],
      }),
    ),
  },
  { examples: [{ client_name: 'Example', redirect_uris: [EXAMPLE_REDIRECT] }] },
)
export type RegisterClient = Static<typeof RegisterClient>

export const DeviceStarted = object('DeviceStarted', {
  device_code: text('What the device waits with.', 'd3v1c3'),
  user_code: text('What the user types.', 'WDJB-MJHT'),
  verification_uri: text('Where the user types it.', 'https://links.example.com/app/allow'),
  verification_uri_complete: text(
    'The same with the code.',
    'https://links.example.com/app/allow?request=WDJB-MJHT',
  ),
  expires_in: integer('Seconds until the code ends.', 600),
  interval: integer('Seconds between two requests of the device.', 5),
})

export const RegisteredClient = object('RegisteredClient', {
  client_id: text('The id of the app, which holds the registration.', 'app_EXAMPLE.EXAMPLE'),
  client_name: text('Name of the app.', 'Example'),
  redirect_uris: words('Where the browser may return to.', [EXAMPLE_REDIRECT]),
  grant_types: words('How it gets keys.', ['authorization_code', 'refresh_token']),
  response_types: words('What it asks for.', ['code']),
  token_endpoint_auth_method: text('Apps have no secret.', 'none'),
})

export const Tokens = object('Tokens', {
  access_token: text('An API key.', 'sp_EXAMPLE'),
  token_type: text('How it is sent.', 'Bearer'),
  scope: text('What it may do.', EXAMPLE_SCOPE),
  expires_in: Type.Optional(integer('Seconds until the key ends; absent: never.', 3600)),
  refresh_token: Type.Optional(text('For the next key.', 'spr_EXAMPLE')),
})
export type Tokens = Static<typeof Tokens>

export const Revoked = object('Revoked', {})

export const RequestParams = Type.Object({
  request: text('The id in the address of the page, or the code of a device.', 'WDJB-MJHT', {
    minLength: 1,
    maxLength: 64,
  }),
})

const scopes = described(
  Type.Array(Type.String()),
  'The scopes that the app asks for.',
  EXAMPLE_SCOPE.split(' '),
)

export const AppRequest = object('AppRequest', {
  kind: oneOf(['app', 'device'], 'Whether a page asks, or a device without a browser.', 'app'),
  name: text('Name that the app gives itself.', 'Example'),
  host: nullable(
    text('Host that describes the app; null: nobody vouches for its name.', 'app.example.com'),
  ),
  returnsTo: nullable(text('Where the browser goes; null for a device.', 'app.example.com')),
  scopes,
  expiresAt: described(Timestamp, 'When the request ends.'),
})
export type AppRequest = Static<typeof AppRequest>

export const AllowApp = object('AllowApp', {
  workspaceId: idInput('wsp', 'The workspace that the app may use.'),
  scopes: described(
    nullable(
      Type.Array(documented(Type.String({ maxLength: 50 }), { enum: SCOPES }), { maxItems: 100 }),
    ),
    'What the app may do: at most what it asks for; null: everything that your role allows.',
    EXAMPLE_SCOPE.split(' '),
  ),
})
export type AllowApp = Static<typeof AllowApp>

export const AppAnswer = object('AppAnswer', {
  redirectUrl: nullable(
    text('Where the browser goes on; null for a device.', `${EXAMPLE_REDIRECT}?code=c0dE`),
  ),
})
export type AppAnswer = Static<typeof AppAnswer>
