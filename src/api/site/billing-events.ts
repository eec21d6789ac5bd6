import { SIZES } from '../../platform/limits/sizes.ts'
import type { FastifyInstance } from 'fastify'
import { ApiError } from '../../platform/core/errors.ts'

const PATH = '/billing/events/stripe'
const BODY_LIMIT_BYTES = SIZES.billingEvent.bytes

export type HandleBillingEvent = (
  rawBody: Buffer,
  signature: string,
) => Promise<{ status: number; message: string }>

/** Adds the webhook of the billing provider. The signature over the raw body replaces a credential. */
export function addBillingEvents(app: FastifyInstance, handle: HandleBillingEvent): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: BODY_LIMIT_BYTES },
      (_request, body: Buffer, done) => done(null, body),
    )
    scope.post(PATH, async (request, reply) => {
      const signature = request.headers['stripe-signature']
      if (typeof signature !== 'string' || !Buffer.isBuffer(request.body))
        throw new ApiError('VALIDATION_ERROR', 'The webhook signature is missing.')
      const { status, message } = await handle(request.body, signature)
      return reply.code(status).send({ data: { message }, meta: { requestId: request.id } })
    })
  })
}
