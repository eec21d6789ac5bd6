import type { IncomingMessage } from 'node:http'
import { newId } from '../core/ids.ts'

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/

/** Assigned ids, so that every answer and log line of a request has the same one. */
const assigned = new WeakMap<IncomingMessage, string>()

/** The client's `x-request-id` if it is a plain token, else a new `req_<ulid>`. */
export function toRequestId(incoming: string | string[] | undefined, nowMs: number): string {
  return typeof incoming === 'string' && ACCEPTED.test(incoming) ? incoming : newId('req', nowMs)
}

/** The id of this request: the same at every call. */
export function assignRequestId(request: IncomingMessage, nowMs: number): string {
  const known = assigned.get(request)
  if (known !== undefined) return known
  const id = toRequestId(request.headers['x-request-id'], nowMs)
  assigned.set(request, id)
  return id
}
