import { registerHooks } from 'node:module'
import type ts from 'typescript5'

/**
 * openapi-typescript builds its output with the library of TypeScript 5, which version 7 does not
 * have; here its import of `typescript` finds the alias `typescript5` (docs/decisions/0015).
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript5' : specifier, context),
})
const { default: openapiTypescript, astToString } = await import('openapi-typescript')
const { factory } = (await import('typescript5')).default

/** The declarations that openapi-typescript makes of a document. */
export async function generateClient(document: object): Promise<string> {
  return astToString(await openapiTypescript(document as never))
}

/** The same with a type of its own for each schema, and files as `Blob`. */
export async function generateNamedTypes(document: object): Promise<string> {
  const nodes = await openapiTypescript(
    document as never,
    {
      rootTypes: true,
      rootTypesNoSchemaPrefix: true,
      // A field with a default can be left out of a body.
      defaultNonNullable: false,
      transform: (schema: { format?: string }): ts.TypeNode | undefined =>
        schema.format === 'binary' ? factory.createTypeReferenceNode('Blob') : undefined,
    } as never,
  )
  return astToString(nodes)
}

/** Members that say what there is not: methods of a path, kinds of parameters, the body of a request. */
export function withoutNevers(text: string): string {
  return text
    .replaceAll(/^ +\w+\?: never;\n/gm, '')
    .replaceAll(/^ +parameters: \{\n +\};\n(?= +(?:get|put|post|delete|patch):)/gm, '')
}

/**
 * A document with what a client needs: paths, parameters and successful answers. Errors have one
 * shape, headers are the client's own, and prose would only slow the compiler of the dashboard down.
 */
export function toClientDocument(document: object, options: { isProseKept: boolean }): object {
  return pruned(document, '', options) as object
}

type Options = { isProseKept: boolean }

function pruned(node: unknown, parent: string, options: Options): unknown {
  if (Array.isArray(node))
    return node
      .filter((item) => parent !== 'parameters' || !isHeader(item))
      .map((item) => pruned(item, '', options))
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(
    Object.entries(node)
      .filter(([key, value]) => !isLeftOut(key, value, parent, options))
      .map(([key, value]) => [key, pruned(value, key, options)]),
  )
}

function isHeader(parameter: unknown): boolean {
  const { in: place, $ref = '' } = parameter as { in?: string; $ref?: string }
  return place === 'header' || /Workspace|Idempotency|Header/.test($ref)
}

function isLeftOut(key: string, value: unknown, parent: string, options: Options): boolean {
  if (parent === 'responses') return !key.startsWith('2')
  if (parent === 'properties') return false
  if (!options.isProseKept && (key === 'description' || key === 'summary'))
    return typeof value === 'string'
  return ['example', 'examples', 'headers', 'webhooks', 'security'].includes(key)
}
