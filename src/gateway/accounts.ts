import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller, Cookie } from '../base/caller.ts'
import { isPage, type Reply, type AccountRoute } from '../base/route.ts'
import type { Admission } from './admission.ts'
import { bodyHooks } from './bodies.ts'
import { setCookie } from './browser.ts'
import { envelope } from './openapi.ts'
import { sendPage } from './pages.ts'
import { untilAnswered } from './until-answered.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A failure is shown as a page to a browser that asks for one. */
    showsPages?: boolean
  }
  interface FastifyRequest {
    caller: Caller | null
  }
}

/**
 * A door that opens before there is a `Who`. Order: foreign pages, rate limit, credential, shapes,
 * quota, handle; where the limit is the caller's own, it comes after the credential.
 */
export function addAccountRoute(
  app: FastifyInstance,
  row: AccountRoute,
  admission: Admission,
): void {
  const { shapes } = row
  const holdBack = admission.holdBackOf(row)
  app.route({
    method: row.method,
    url: row.path,
    config: {
      acceptsForm: row.accepts === 'form',
      showsPages: row.accepts === 'form' || (row.method === 'GET' && !shapes.reply),
    },
    schema: {
      ...(shapes.params && { params: shapes.params }),
      ...(shapes.query && { querystring: shapes.query }),
      ...(shapes.body && { body: shapes.body }),
      ...(shapes.reply && { response: { [row.status]: envelope(shapes) } }),
    },
    ...bodyHooks(shapes.body),
    onRequest: async (request, reply) => {
      const { caller, plan } = await admission.account(request, reply, row)
      request.caller = caller
      request.who = caller.who
      request.plan = plan
    },
    ...(holdBack && { onSend: holdBack }),
    preHandler: async (request, reply) => {
      const { who, plan } = request
      if (who && plan !== null) await admission.takeQuota?.(request, reply, who.workspaceId, plan)
    },
    handler: async (request, reply) => {
      const input = {
        params: request.params as never,
        query: request.query as never,
        body: request.body as never,
      }
      const result = (await row.handle(
        request.caller!,
        input,
        untilAnswered(reply),
      )) as Reply<unknown>
      return answer(request, reply, row, result)
    },
  })
}

function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  row: AccountRoute,
  result: Reply<unknown>,
): FastifyReply {
  setCookies(reply, request.caller!.origin, result.cookies ?? [])
  if ('html' in result) return sendPage(reply, result.status ?? 200, result.html)
  if ('redirect' in result)
    return reply.code(302).header('location', checkLocation(result.redirect)).send()
  reply.code(row.status)
  if (row.status === 204) return reply.send()
  const { data, meta } = isPage(result.data) ? result.data : { data: result.data, meta: {} }
  return reply.send({ data: data ?? null, meta: { requestId: request.id, ...meta } })
}

function setCookies(reply: FastifyReply, origin: string, cookies: readonly Cookie[]): void {
  if (cookies.length === 0) return
  reply.header(
    'set-cookie',
    cookies.map((cookie) => setCookie(cookie, origin)),
  )
}

/** A path of ours or a whole URL; `//elsewhere` and its relatives are neither. */
function checkLocation(location: string): string {
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(location)
  const isUrl = /^https?:\/\/[\x21-\x7e]+$/.test(location) && URL.canParse(location)
  if (!isPath && !isUrl) throw new Error('a redirect leads to no path and no URL')
  return location
}
