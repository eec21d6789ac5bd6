import { SIZES } from '../../platform/limits/sizes.ts'
import type { FastifyInstance } from 'fastify'
import type { TObject } from 'typebox'
import { DEFAULT_LIMITS } from '../../platform/routes/route.ts'
import { addressOf } from '../../platform/http/request.ts'
import type { ClientAddress } from '../../platform/facts/client-address.ts'
import type { Language } from '../../platform/facts/languages.ts'
import { wantsHtml } from '../requests/browser.ts'
import { languageOf, sendPage } from './pages.ts'

export type AbuseReporting = {
  shape: TObject
  form: (language: Language, url: string) => string
  reported: (language: Language) => string
  report: (reporter: { address: string; host: string }, input: never) => Promise<void>
}

const PATH = '/report-abuse'
const BODY_LIMIT_BYTES = SIZES.form.bytes

export function addAbuseReporting(
  app: FastifyInstance,
  { shape, form, reported, report }: AbuseReporting,
  clientAddress: ClientAddress,
): void {
  app.get(PATH, { config: { showsPages: true } }, async (request, reply) => {
    const { url } = request.query as { url?: unknown }
    return sendPage(reply, 200, form(languageOf(request), typeof url === 'string' ? url : ''))
  })
  const options = {
    bodyLimit: BODY_LIMIT_BYTES,
    config: {
      acceptsForm: true,
      showsPages: true,
      limits: { ...DEFAULT_LIMITS, bodyBytes: BODY_LIMIT_BYTES },
    },
    schema: { body: shape },
  }
  app.post(PATH, options, async (request, reply) => {
    const { headers } = request.raw
    const reporter = {
      address: clientAddress(addressOf(request.raw), headers),
      host: headers.host?.toLowerCase() ?? '',
    }
    await report(reporter, request.body as never)
    if (wantsHtml(headers)) return sendPage(reply, 202, reported(languageOf(request)))
    return reply.code(202).send({ data: { status: 'received' }, meta: { requestId: request.id } })
  })
}
