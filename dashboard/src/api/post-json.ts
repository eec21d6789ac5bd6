import { send } from './client.ts'
import { readError } from './errors.ts'

/**
 * The answer to a POST of a route without a type in the client.
 * @throws ApiError a refusal, a failure, or no answer
 */
export async function postJson<T>(path: string, body?: unknown): Promise<T> {
  const response = await send(
    new Request(`/v1${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  if (!response.ok) throw await readError(response)
  return (await response.json()) as T
}
