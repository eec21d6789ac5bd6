import type { FastifyReply } from 'fastify'
import type { ApiError } from '../../platform/core/errors.ts'
import {
  contentPolicy,
  errorFoot,
  htmlPage,
  problemText,
  styleHashes,
} from '../../platform/http/html.ts'

/**
 * Without scripts. With `no-referrer`, browsers would send forms with `Origin: null`, which is refused as another
 * site's.
 */
export function sendPage(reply: FastifyReply, status: number, html: string): FastifyReply {
  return reply
    .code(status)
    .headers({
      'content-security-policy': contentPolicy({
        'style-src': styleHashes(html),
        'form-action': "'self'",
        'img-src': "'self'",
      }),
      'referrer-policy': 'same-origin',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
    })
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(html)
}

export function errorPage({ status, message }: ApiError, requestId: string): string {
  const hint =
    status === 429 || status >= 500
      ? 'Try again in a moment.'
      : 'Go back, fix the problem, and try again.'
  return htmlPage({
    title: "That didn't work",
    content: `${problemText(message)}\n<p>${hint}</p>`,
    foot: errorFoot(status, requestId),
  })
}
