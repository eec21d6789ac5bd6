import createClient from 'openapi-fetch'
import type { components, paths } from './api.gen.ts'
import type { components as authComponents, paths as authPaths } from './auth.gen.ts'
import { noteAnswer } from './connection.ts'
import { errorOf, readError, signInPutOff, unreachable } from './errors.ts'
import { pageUser, waitForSignIn } from './session-gate.ts'

export type Schemas = components['schemas']
export type AuthSchemas = authComponents['schemas']

const WORKSPACE_HEADER = 'x-signpost-workspace'

let workspaceId: string | null = null

/** The workspace of this tab: that of its address, independent of other tabs. */
export function setWorkspace(id: string | null): void {
  workspaceId = id
}

/** The address of a download or an image, which cannot carry a header. */
export function fileUrl(path: string, query: Record<string, string | undefined> = {}): string {
  const given = Object.entries({ ...query, workspaceId: workspaceId ?? undefined })
  const search = new URLSearchParams(
    given.filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return `/v1${path}?${search.toString()}`
}

/** The bytes of such an address. @throws ApiError */
export async function readFile(address: string): Promise<Blob> {
  const response = await send(new Request(address))
  if (!response.ok) throw await readError(response)
  return response.blob()
}

/** The headers of a request that names the workspace of this tab. */
export function workspaceHeaders(): Record<string, string> {
  return workspaceId === null ? {} : { [WORKSPACE_HEADER]: workspaceId }
}

/** Sends a request, again after a sign-in where the session was over or not fresh. */
export async function send(request: Request): Promise<Response> {
  if (workspaceId !== null && !request.headers.has(WORKSPACE_HEADER))
    request.headers.set(WORKSPACE_HEADER, workspaceId)
  // A POST whose answer got lost can be sent again: the server acts once for one key.
  if (request.method === 'POST' && !request.headers.has('idempotency-key'))
    request.headers.set('idempotency-key', crypto.randomUUID())
  for (;;) {
    const response = await fetch(request.clone()).catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error
      noteAnswer(null)
      throw unreachable()
    })
    noteAnswer(response)
    if (response.ok || pageUser() === null) return response
    const reason = await gateReasonOf(response)
    if (reason === null) return response
    if (!(await waitForSignIn(reason))) throw signInPutOff(response.status)
  }
}

async function gateReasonOf(response: Response) {
  if (response.status === 401) return (await isCode(response, 'UNAUTHORIZED')) ? 'signed-out' : null
  if (response.status === 403)
    return (await isCode(response, 'SESSION_NOT_FRESH')) ? 'not-fresh' : null
  return null
}

async function isCode(response: Response, code: string): Promise<boolean> {
  return (await readError(response.clone())).code === code
}

const settings = { baseUrl: '/v1', credentials: 'same-origin', fetch: send } as const
export const api = createClient<paths>(settings)
export const auth = createClient<authPaths>(settings)

type Answered<T> = { data?: T; response: Response; error?: unknown }

/**
 * The body of a successful answer.
 * @throws ApiError a refusal, a failure, or no answer
 */
export async function ask<T>(call: Promise<Answered<T>>): Promise<T> {
  const { data, error, response } = await call
  if (response.ok) return data as T
  throw errorOf(error, response)
}

/** The `data` of a successful answer. @throws ApiError */
export async function dataOf<T>(call: Promise<Answered<{ data: T }>>): Promise<T> {
  return (await ask(call)).data
}

/** A resource, and the version that a change of it must have seen. */
export type Versioned<T> = { value: T; etag: string | null }

/** The `data` of a successful answer with its version. @throws ApiError */
export async function versionOf<T>(call: Promise<Answered<{ data: T }>>): Promise<Versioned<T>> {
  const value = await dataOf(call)
  return { value, etag: (await call).response.headers.get('etag') }
}

/** The header of a change that is refused when the resource is another version by now. */
export function ifMatch(etag: string | null): Record<string, string> {
  return etag === null ? {} : { 'if-match': etag }
}
