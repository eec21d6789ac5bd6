import { explainFailure, UnexpectedAnswerError } from '../../typescript/src/errors.ts'
import { openClient } from './account.ts'

const TIMEOUT_MS = 30_000

type Fields = Record<string, string>

/** The answer of a route of OAuth, which has no envelope; an error is an answer too. */
export async function requestOAuth(
  url: string,
  route: 'device' | 'token' | 'revoke',
  fields: Fields,
): Promise<Partial<Fields>> {
  // Checks the address.
  openClient({ url })
  const { origin } = new URL(url)
  const response = await fetch(`${origin}/v1/auth/oauth/${route}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(fields),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  }).catch((cause: unknown) => {
    throw explainFailure(cause, origin)
  })
  const answer: unknown = await response.json().catch(() => null)
  const { error } = (answer ?? {}) as { error?: unknown }
  if (typeof answer === 'object' && answer !== null && typeof error !== 'object')
    return answer as Partial<Fields>
  // Refused before the route was reached, as the API refuses.
  const { message } = (error ?? {}) as { message?: string }
  throw new UnexpectedAnswerError(
    message ??
      `${origin} did not answer as Signpost does (status ${response.status}): check --url, and that the server is up to date.`,
    { code: 'UNEXPECTED_ANSWER', status: response.status },
  )
}
