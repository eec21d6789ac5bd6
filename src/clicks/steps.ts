import type { ClickRecord } from '../journal/format.ts'
import type { Visitors } from './visitor.ts'

/** What asked for the link. Only `human` counts as a click; the others are kept and shown apart. */
export const KINDS = ['human', 'bot', 'preview', 'prefetch'] as const
export type Kind = (typeof KINDS)[number]

/** Why a record of the journal becomes no row. Each is counted. */
export const DROP_REASONS = [
  /** Its bytes do not match their checksum. */
  'unreadable',
  /** It was read, but an id or the time can't be one of ours. */
  'malformed',
  /** Its workspace does not exist any more. */
  'workspace_gone',
  /** One of the steps threw. */
  'failed',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** A click on its way: what the edge saw, and what the steps make of it. */
export type Draft = {
  record: ClickRecord
  kind: Kind
  visitor: string
  country: string
  region: string
  city: string
  continent: string
  device: string
  browser: string
  os: string
  referrer: string
  language: string
}

/** Fills in its share of the draft, or says why the click is dropped. */
export type Step = { name: string; run(draft: Draft): DropReason | undefined }

/** The rooms of facts that the steps ask. */
export type Facts = {
  classifyAgent(userAgent: string): 'human' | 'bot' | 'preview'
  readDevice(userAgent: string): { device: string; browser: string; os: string }
  locate(ip: string): { country: string; region: string; city: string; continent: string }
  referrerLabel(referrer: string, ownHosts: readonly string[]): string
  languageLabel(acceptLanguage: string): string
  /** Hosts of this installation beside the one that was asked: none of them refers to itself. */
  ownHosts: readonly string[]
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ID = /^[A-Za-z0-9_-]{1,64}$/
const EARLIEST_MS = Date.UTC(2020, 0)
const LATEST_MS = Date.UTC(2200, 0)
const CACHED_AGENTS = 10_000
const CACHED_HOSTS = 1_000

/** The pipeline, in order. No step but `visitor` may look at the address after `locate` has. */
export function createSteps(facts: Facts, visitors: Pick<Visitors, 'identify'>): Step[] {
  const agentOf = createMemo(CACHED_AGENTS, facts.classifyAgent)
  const ownHostsOf = createMemo(CACHED_HOSTS, (host) => [...facts.ownHosts, host])
  const languageOf = createMemo(CACHED_AGENTS, facts.languageLabel)

  return [
    { name: 'check', run: ({ record }) => (isOurs(record) ? undefined : 'malformed') },
    {
      name: 'visitor',
      run(draft) {
        const { workspaceId, ip, userAgent } = draft.record
        const visitor = visitors.identify(workspaceId, ip, userAgent)
        if (visitor === undefined) return 'workspace_gone'
        draft.visitor = visitor
        return undefined
      },
    },
    {
      name: 'classify',
      run(draft) {
        const agent = agentOf(draft.record.userAgent)
        draft.kind = agent === 'human' && draft.record.isPrefetch ? 'prefetch' : agent
        return undefined
      },
    },
    {
      name: 'locate',
      run(draft) {
        const place = facts.locate(draft.record.ip)
        draft.country = place.country
        draft.region = place.region
        draft.city = place.city
        draft.continent = place.continent
        return undefined
      },
    },
    {
      name: 'device',
      run(draft) {
        const { device, browser, os } = facts.readDevice(draft.record.userAgent)
        draft.device = device
        draft.browser = browser
        draft.os = os
        return undefined
      },
    },
    {
      name: 'referrer',
      run(draft) {
        const { referrer, host } = draft.record
        draft.referrer = facts.referrerLabel(referrer, ownHostsOf(host))
        return undefined
      },
    },
    {
      name: 'language',
      run(draft) {
        draft.language = languageOf(draft.record.language)
        return undefined
      },
    },
  ]
}

/** Runs the steps in order, up to the first that drops. A throw is that click's loss, not the segment's. */
export function runSteps(steps: readonly Step[], draft: Draft): DropReason | undefined {
  try {
    for (const step of steps) {
      const reason = step.run(draft)
      if (reason !== undefined) return reason
    }
    return undefined
  } catch {
    return 'failed'
  }
}

export function emptyDraft(record: ClickRecord): Draft {
  return {
    record,
    kind: 'human',
    visitor: '0',
    country: '',
    region: '',
    city: '',
    continent: '',
    device: '',
    browser: '',
    os: '',
    referrer: '',
    language: '',
  }
}

/** The checksum has vouched for the bytes; this vouches for what ClickHouse would refuse for good. */
export function isOurs(record: ClickRecord): boolean {
  return (
    ULID.test(record.clickId) &&
    ID.test(record.workspaceId) &&
    ID.test(record.linkId) &&
    Number.isInteger(record.atMs) &&
    record.atMs >= EARLIEST_MS &&
    record.atMs < LATEST_MS
  )
}

/** Remembers the latest answers by argument. Two generations: the older one is forgotten whole. */
function createMemo<T>(limit: number, answer: (argument: string) => T) {
  let young = new Map<string, T>()
  let old = new Map<string, T>()
  return (argument: string): T => {
    let value = young.get(argument)
    if (value !== undefined) return value
    value = old.get(argument) ?? answer(argument)
    if (young.size >= limit / 2) {
      old = young
      young = new Map()
    }
    young.set(argument, value)
    return value
  }
}
