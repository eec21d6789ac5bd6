import type { TObject } from 'typebox'
import type { Capability, CountedName } from '../plans/plan.ts'
import type { PurgeStep } from './purge-steps.ts'

/** An event type as the catalog lists it. Its sample is made of the examples of `data`. */
export type DeclaredEvent = { label: string; description: string; data: TObject }

/**
 * Facts of a resource. From them follow the scopes of keys, the event catalog, the webhooks of the
 * OpenAPI document, the purge and the tables in docs/. Its routes are mounted in src/app/services.ts.
 */
export type Resource = {
  /** By the first part of the scope: each verb, with what it allows, for the docs. */
  scopes?: Readonly<Record<string, { readonly read?: string; readonly write?: string }>>
  events?: Readonly<Record<string, DeclaredEvent>>
  /** Limits and capabilities of the plan that its rules enforce. */
  limits?: readonly CountedName[]
  capabilities?: readonly Capability[]
  /** Steps of the purge, for tables that its default cannot empty (src/platform/resources/purge-steps.ts). */
  purge?: readonly PurgeStep[]
  /** Steps that come before those of every other resource. */
  purgeFirst?: readonly PurgeStep[]
}
