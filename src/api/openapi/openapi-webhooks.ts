import type { TSchema } from 'typebox'
import { toExample } from '../../platform/routes/example.ts'
import { type SchemaWriter } from './openapi-shapes.ts'

/** An event as an endpoint receives it. */
export type DocumentedEvent = {
  /** `link.created` */
  type: string
  summary: string
  description: string
  /** The whole body of a delivery. */
  body: TSchema
  /** The headers of a delivery. */
  headers: readonly { name: string; isAlways: boolean; description: string; example: string }[]
}

/** The `webhooks` of the document: requests to a receiver, and its answers. */
export function writeWebhooks(events: readonly DocumentedEvent[], { write }: SchemaWriter) {
  return Object.fromEntries(
    events.map(({ type, summary, description, body, headers }) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary,
          description: `${description} Verify the signature over the bytes of the body first.`,
          tags: ['Webhooks'],
          // A delivery has no credential; its signature is in a header.
          security: [],
          parameters: headers.map(({ name, isAlways, description: text, example }) => ({
            name,
            in: 'header',
            description: text,
            required: isAlways,
            schema: { type: 'string', examples: [example] },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: write(body), example: toExample(body) } },
          },
          responses: {
            '2XX': { description: 'Received. After any other answer the delivery is retried.' },
          },
        },
      },
    ]),
  )
}
