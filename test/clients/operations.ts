/* What generators of clients read in the OpenAPI document. */

export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  description?: string
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  enum?: unknown[]
  const?: string
}

type Parameter = {
  name: string
  in: string
  description: string
  required?: boolean
  schema: Schema
}

type Content = Record<string, { schema: Schema }>

export type Operation = {
  operationId: string
  summary: string
  description: string
  deprecated?: boolean
  security: Record<string, unknown>[]
  parameters?: Parameter[]
  requestBody?: { required?: boolean; content: Content }
  responses: Record<string, { content?: Content }>
  'x-codeSamples': { lang: string; source: string }[]
}

export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export type Described = { method: string; path: string; operation: Operation }

/** Every operation that has a method: deprecated addresses have none. */
export function operationsOf({ paths }: Document): Described[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !operation.deprecated)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  )
}

export function partsOf({ parameters = [], requestBody: body }: Operation) {
  const isForm = body !== undefined && 'multipart/form-data' in body.content
  const query = parameters.filter((each) => each.in === 'query' && each.name !== 'workspaceId')
  // A form, and the body of a deletion, have the fields of the query too.
  const hasQuery =
    query.length > 0 && !isForm && !(body && query.every(({ name }) => name === 'confirm'))
  return {
    body,
    isForm,
    hasQuery,
    query,
    isQueryRequired: query.some(({ required }) => required),
    isList: parameters.some(({ name }) => name === 'offset'),
  }
}

/** The schema of a successful answer with an envelope. */
export function jsonOf({ responses }: Operation): Schema | undefined {
  const [, answer] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  const schema = answer?.content?.['application/json']?.schema
  return schema?.properties?.['data'] && schema
}

export function isStream({ responses }: Operation): boolean {
  return 'text/event-stream' in (responses['200']?.content ?? {})
}

export const isFeed = ({ operationId }: Operation) => operationId === 'listenForWebhookEvents'

export function sentence({ summary, description, security }: Operation): string {
  const isForSessions = security.length > 0 && !security.some((each) => 'apiKey' in each)
  const note = isForSessions ? ' An API key is not enough: needs a signed-in session.' : ''
  return `${summary}. ${description}${note}`
}
