import type { TObject } from 'typebox'
import type { Capability, CountedName } from '../plans/plan.ts'
import type { PurgeStep } from './purge-steps.ts'

/** The catalog makes its sample from the examples of `data`. */
type DeclaredEvent = { label: string; description: string; data: TObject }

/**
 * Facts of a resource, from which scopes, event catalog, webhooks of the OpenAPI document, purge and tables in docs/ are
 * made. src/app/services.ts mounts its routes.
 */
export type Resource = {
  /** By the first part of the scope; the texts are for the docs. */
  scopes?: Readonly<Record<string, { readonly read?: string; readonly write?: string }>>
  events?: Readonly<Record<string, DeclaredEvent>>
  /** Plan limits that its rules enforce. */
  limits?: readonly CountedName[]
  capabilities?: readonly Capability[]
  /** For tables that the default purge cannot empty (src/platform/resources/purge-steps.ts). */
  purge?: readonly PurgeStep[]
  purgeFirst?: readonly PurgeStep[]
}
