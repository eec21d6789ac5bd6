import type { Conditions } from '../platform/facts/link-options.ts'
import type { Request } from './link.ts'
import { readParameters } from './location.ts'

export type Condition = {
  readonly name: keyof Conditions
  readonly holds: (request: Request, nowMs: number) => boolean
  readonly wanted: string
  readonly read: (request: Request, nowMs: number) => string
}

const UNKNOWN = 'unknown'

const LABELS = {
  country: ({ place }: Request) => place.country,
  region: ({ place }: Request) => place.region,
  continent: ({ place }: Request) => place.continent,
  device: ({ device }: Request) => device.device,
  os: ({ device }: Request) => device.os,
  browser: ({ device }: Request) => device.browser,
  language: ({ language }: Request) => language,
}

/** All conditions must hold. The cheapest are tested first. */
export function prepareConditions(conditions: Conditions): Condition[] {
  const { from, to, query, ...labels } = conditions
  const prepared: Condition[] = []
  if (from !== undefined) prepared.push(fromTime(from))
  if (to !== undefined) prepared.push(beforeTime(to))
  if (query !== undefined) prepared.push(withParameters(query))
  for (const [name, wanted] of Object.entries(labels))
    prepared.push(oneOf(name as keyof typeof LABELS, wanted))
  return prepared
}

/** An unknown label matches no list, not even one that names it. */
function oneOf(name: keyof typeof LABELS, wanted: readonly string[]): Condition {
  const labels = new Set(wanted)
  labels.delete(UNKNOWN)
  const read = LABELS[name]
  return { name, holds: (request) => labels.has(read(request)), wanted: wanted.join(', '), read }
}

function fromTime(from: string): Condition {
  const fromMs = Date.parse(from)
  return { name: 'from', holds: (_request, nowMs) => nowMs >= fromMs, wanted: from, read: toIso }
}

function beforeTime(to: string): Condition {
  const toMs = Date.parse(to)
  return { name: 'to', holds: (_request, nowMs) => nowMs < toMs, wanted: to, read: toIso }
}

/** Every parameter must be present with its required value, if any; one of several values is enough. */
function withParameters(wanted: Readonly<Record<string, string | null>>): Condition {
  const pairs = Object.entries(wanted)
  return {
    name: 'query',
    holds: ({ query }) => {
      if (query === '') return false
      const found = parametersOf(query)
      return pairs.every(([name, value]) =>
        value === null ? found.has(name) : found.has(name, value),
      )
    },
    wanted: pairs
      .map(([name, value]) => (value === null ? name : `${name}=${value}`))
      .join(' and '),
    read: ({ query }) => query,
  }
}

let last = { query: '', parameters: new URLSearchParams() }

/** Parses the query of a request once for all rules of its link. */
function parametersOf(query: string): URLSearchParams {
  if (query !== last.query) last = { query, parameters: readParameters(query) }
  return last.parameters
}

function toIso(_request: Request, nowMs: number): string {
  return new Date(nowMs).toISOString()
}
