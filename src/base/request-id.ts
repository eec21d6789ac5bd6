import { newId } from './ids.ts'

const ACCEPTED = /^[A-Za-z0-9._-]{8,128}$/

/** The client's `x-request-id` when it is a plain token, else a fresh `req_<ulid>`. */
export function requestIdOf(incoming: string | string[] | undefined, nowMs: number): string {
  return typeof incoming === 'string' && ACCEPTED.test(incoming) ? incoming : newId('req', nowMs)
}
