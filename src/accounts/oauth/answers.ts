import type { Reply } from '../../platform/routes/route.ts'

/** Of RFC 6749, 7591, 8628 and 8707. */
type OAuthCode =
  | 'access_denied'
  | 'authorization_pending'
  | 'expired_token'
  | 'invalid_client_metadata'
  | 'invalid_client'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_target'
  | 'unsupported_grant_type'

export class OAuthError extends Error {
  readonly code: OAuthCode

  constructor(code: OAuthCode, message: string) {
    super(message)
    this.code = code
  }
}

/** Clients of OAuth expect answers and errors without the envelope of the API. */
export async function answerOAuth(
  work: () => Promise<object>,
  status = 200,
): Promise<Reply<never>> {
  try {
    return { plain: await work(), status }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { plain: { error: error.code, error_description: error.message }, status: 400 }
  }
}

/** RFC 8707: a token is good for the whole of this server, and for no other. */
export function checkResource(resource: string | undefined, origin: string): void {
  if (resource === undefined) return
  if (URL.canParse(resource) && new URL(resource).origin === origin) return
  throw new OAuthError('invalid_target', `resource must be an address below ${origin}.`)
}
