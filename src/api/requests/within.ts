import type { FastifyInstance, FastifyRequest, LightMyRequestResponse } from 'fastify'
import { addressOf } from '../../platform/http/request.ts'
import type { Route } from '../../platform/routes/route.ts'

export type Asked = {
  method: Route['method']
  url: string
  body: { type: string; content: string } | null
}

/** Headers that identify the caller: credential, address and program. */
const IDENTIFYING = [
  'authorization',
  'host',
  'user-agent',
  'x-forwarded-for',
  'x-forwarded-proto',
] as const

/**
 * Sends a request to `/v1` within this process, as the caller would: scopes, limits, quotas and the audit log apply as
 * to any request, and its log lines have the id of the outer one.
 */
export async function requestWithin(
  app: FastifyInstance,
  outer: FastifyRequest,
  { method, url, body }: Asked,
  own: Readonly<Record<string, string>> = {},
): Promise<LightMyRequestResponse> {
  return app.inject({
    method,
    url,
    headers: {
      ...toIdentifying(outer),
      'x-request-id': outer.id,
      ...(body && { 'content-type': body.type }),
      ...own,
    },
    ...(body && { payload: body.content }),
    remoteAddress: addressOf(outer.raw) ?? '',
    signal: outer.untilAnswered,
  })
}

function toIdentifying({ raw: { headers } }: FastifyRequest): Record<string, string> {
  return Object.fromEntries(
    IDENTIFYING.flatMap((name) => {
      const value = headers[name]
      return typeof value === 'string' ? [[name, value]] : []
    }),
  )
}
