import type { FastifyReply, FastifyRequest } from 'fastify'
import { toEntityTag } from '../../platform/http/entity-tag.ts'
import { isPage, isVersioned, type Reply, type Route } from '../../platform/routes/route.ts'
import { toSetCookie } from '../requests/browser.ts'
import { sendPage } from '../site/pages.ts'
import { sendBytes } from './sent.ts'

/** Sends the reply of a route: data in the envelope, bytes, a page or a redirect, with its cookies. */
export function sendReply(
  request: FastifyRequest,
  reply: FastifyReply,
  route: Route,
  result: Reply<unknown>,
): FastifyReply | Promise<FastifyReply> {
  const { cookies = [] } = result
  if (cookies.length > 0) {
    const { origin } = request.caller!
    reply.header(
      'set-cookie',
      cookies.map((cookie) => toSetCookie(cookie, origin)),
    )
  }
  if ('html' in result) return sendPage(reply, result.status ?? 200, result.html)
  if ('redirect' in result)
    return reply.code(302).header('location', checkLocation(result.redirect)).send()
  if ('sent' in result) return sendBytes(request, reply, route, result.sent)
  if (result.headers) reply.headers(result.headers)
  reply.code(route.status)
  if (route.status === 204) return reply.send()
  const { data, meta } = isPage(result.data) ? result.data : { data: result.data, meta: {} }
  if (isVersioned(route))
    reply.header('etag', toEntityTag((data as { updatedAt: string }).updatedAt))
  return reply.send({ data: data ?? null, meta: { requestId: request.id, ...meta } })
}

/** Allows a path of this server and a whole URL; `//elsewhere` and its variants are neither. */
function checkLocation(location: string): string {
  const isPath = /^\/(?![/\\])[\x21-\x7e]*$/.test(location)
  const isUrl = /^https?:\/\/[\x21-\x7e]+$/.test(location) && URL.canParse(location)
  if (!isPath && !isUrl)
    throw new Error('the location of a redirect is neither a path nor an absolute URL')
  return location
}
