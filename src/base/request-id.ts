import type { IncomingMessage } from 'node:http'
import { newId } from './ids.ts'

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/

/** Ids that were assigned to requests, so that every answer and log line of a request agree. */
const assigned = new WeakMap<IncomingMessage, string>()

/** The client's `x-request-id` when it is a plain token, else a fresh `req_<ulid>`. */
export function requestIdOf(incoming: string | string[] | undefined, nowMs: number): string {
  return typeof incoming === 'string' && ACCEPTED.test(incoming) ? incoming : newId('req', nowMs)
}

/** Returns the id of a request, the same at each call. */
export function assignRequestId(request: IncomingMessage, nowMs: number): string {
  const known = assigned.get(request)
  if (known !== undefined) return known
  const id = requestIdOf(request.headers['x-request-id'], nowMs)
  assigned.set(request, id)
  return id
}
