import type { IncomingMessage } from 'node:http'
import { newId } from '../core/ids.ts'

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/

/** So that every response and log line of a request has the same id. */
const assigned = new WeakMap<IncomingMessage, string>()

/** The client's `x-request-id` if it is a plain token, else a new id. */
export function toRequestId(incoming: string | string[] | undefined, nowMs: number): string {
  return typeof incoming === 'string' && ACCEPTED.test(incoming) ? incoming : newId('req', nowMs)
}

export function assignRequestId(request: IncomingMessage, nowMs: number): string {
  const known = assigned.get(request)
  if (known !== undefined) return known
  const id = toRequestId(request.headers['x-request-id'], nowMs)
  assigned.set(request, id)
  return id
}
