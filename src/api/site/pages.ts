import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ApiError } from '../../platform/core/errors.ts'
import { matchLanguage, type Language } from '../../platform/facts/languages.ts'
import { problemIn } from '../../platform/http/problems.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import { LINK_TEXTS } from '../../platform/text/links.ts'
import {
  contentPolicy,
  errorFoot,
  escapeHtml,
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

export function languageOf({ headers }: Pick<FastifyRequest, 'headers'>): Language {
  return matchLanguage(headers['accept-language'])
}

export function errorPage(language: Language, error: ApiError, requestId: string): string {
  const { status } = error
  const { title, wait, fix } = FORM_TEXTS[language].failed
  const hint = status === 429 || status >= 500 ? wait : fix
  return htmlPage({
    language,
    title,
    content: `${problemText(problemIn(language, error))}\n<p>${escapeHtml(hint)}</p>`,
    foot: errorFoot(status, requestId, LINK_TEXTS[language].error),
  })
}
