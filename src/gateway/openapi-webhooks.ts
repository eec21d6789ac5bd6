import type { TSchema } from 'typebox'
import { exampleOf, type SchemaWriter } from './openapi-shapes.ts'

/** An event as an endpoint receives it. */
export type DocumentedEvent = {
  /** `link.created` */
  type: string
  summary: string
  description: string
  /** The whole body of a delivery. */
  body: TSchema
  /** The headers that it comes with. */
  headers: readonly { name: string; isAlways: boolean; description: string; example: string }[]
}

/** The `webhooks` of the document: what a receiver is sent, and what it answers. */
export function writeWebhooks(events: readonly DocumentedEvent[], { write }: SchemaWriter) {
  return Object.fromEntries(
    events.map(({ type, summary, description, body, headers }) => [
      type,
      {
        post: {
          operationId: `on${type.replace(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase())}`,
          summary,
          description: `${description} Check the signature over the bytes of the body before anything else.`,
          tags: ['Webhooks'],
          // A delivery brings no credential; its signature is in a header.
          security: [],
          parameters: headers.map(({ name, isAlways, description: says, example }) => ({
            name,
            in: 'header',
            description: says,
            required: isAlways,
            schema: { type: 'string', examples: [example] },
          })),
          requestBody: {
            required: true,
            content: { 'application/json': { schema: write(body), example: exampleOf(body) } },
          },
          responses: {
            '2XX': { description: 'Received. Any other answer is tried again later.' },
          },
        },
      },
    ]),
  )
}
