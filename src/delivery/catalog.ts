/** Every event type that exists (spec, Events). */
const EVENT_TYPES = ['link.created', 'link.updated', 'link.deleted'] as const

export type EventType = (typeof EVENT_TYPES)[number]
