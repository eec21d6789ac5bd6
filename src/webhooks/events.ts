import { toExample } from '../platform/routes/example.ts'
import { Type } from 'typebox'
import type { Resource } from '../platform/resources/resource.ts'
import { RESOURCES } from '../resources.ts'

type EventNames<R> = R extends { events: infer Events } ? keyof Events & string : never
export type EventType = EventNames<(typeof RESOURCES)[keyof typeof RESOURCES]>

const DECLARED = Object.assign(
  {},
  ...Object.values<Resource>(RESOURCES).map(({ events }) => events),
) as Record<EventType, NonNullable<Resource['events']>[string]>

export const EVENT_TYPES = Object.keys(DECLARED) as EventType[]

export function isEventType(type: string): type is EventType {
  return Object.hasOwn(DECLARED, type)
}

/** `sample` is what a test delivery carries, without the workspace id. */
export function getCatalogRow(type: EventType) {
  const { label, description, data } = DECLARED[type]
  const { workspaceId: _workspaceId, ...fields } = data.properties
  const sample = toExample(Type.Object(fields)) as Record<string, unknown>
  return { type, label, description, data, sample }
}
