import type { TObject } from 'typebox'
import type { Capability, CountedName } from '../plans/plan.ts'
import type { PurgeStep } from './purge-steps.ts'

type DeclaredEvent = { label: string; description: string; data: TObject }

/** From these facts come scopes, the event catalog, webhooks of the OpenAPI document, the purge and tables in docs/. */
export type Resource = {
  scopes?: Readonly<Record<string, { readonly read?: string; readonly write?: string }>>
  events?: Readonly<Record<string, DeclaredEvent>>
  limits?: readonly CountedName[]
  capabilities?: readonly Capability[]
  purge?: readonly PurgeStep[]
  purgeFirst?: readonly PurgeStep[]
}
