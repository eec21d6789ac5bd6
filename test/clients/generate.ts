import { registerHooks } from 'node:module'

/**
 * openapi-typescript builds its output with the library of TypeScript 5, which version 7 does not
 * have; here its import of `typescript` finds the alias `typescript5` (docs/decisions/0015).
 */
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'typescript' ? 'typescript5' : specifier, context),
})
const { default: openapiTypescript, astToString } = await import('openapi-typescript')

/** The declarations that openapi-typescript makes of a document. */
export async function generateClient(document: object): Promise<string> {
  return astToString(await openapiTypescript(document as never))
}
