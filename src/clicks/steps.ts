import { memoize } from '../base/memo.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { Visitors } from './visitor.ts'

/** Kinds of clients. Only `human` ones count as clicks; the others are stored and reported apart. */
export const KINDS = ['human', 'bot', 'preview', 'prefetch'] as const
export type Kind = (typeof KINDS)[number]

/** Reasons for which a journal record is not stored as a row. Each is counted. */
export const DROP_REASONS = [
  /** The bytes do not match their checksum. */
  'unreadable',
  /** An id or the time is impossible. */
  'malformed',
  /** The workspace was deleted. */
  'workspace_gone',
  /** A step threw. */
  'failed',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** A click in the pipeline: its record, and the fields that the steps fill in. */
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

/** Fills in its fields of the draft, or returns the reason for which the click is dropped. */
export type Step = { name: string; run(draft: Draft): DropReason | undefined }

/** Functions of the room `facts`. */
export type Facts = {
  classifyAgent(userAgent: string): 'human' | 'bot' | 'preview'
  readDevice(userAgent: string): { device: string; browser: string; os: string }
  locate(ip: string): { country: string; region: string; city: string; continent: string }
  referrerLabel(referrer: string, ownHosts: readonly string[]): string
  languageLabel(acceptLanguage: string): string
  /** Hosts of this installation. A click that comes from one of them has no referrer. */
  ownHosts: readonly string[]
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ID = /^[A-Za-z0-9_-]{1,64}$/
const EARLIEST_MS = Date.UTC(2020, 0)
const LATEST_MS = Date.UTC(2200, 0)
const CACHED_AGENTS = 10_000
const CACHED_HOSTS = 1_000

/** Steps of the pipeline, in order. Only `visitor` and `locate` may read the client address. */
export function createSteps(facts: Facts, visitors: Pick<Visitors, 'identify'>): Step[] {
  const classifyAgent = memoize(CACHED_AGENTS, facts.classifyAgent)
  const toOwnHosts = memoize(CACHED_HOSTS, (host) => [...facts.ownHosts, host])
  const readLanguage = memoize(CACHED_AGENTS, facts.languageLabel)

  return [
    { name: 'check', run: ({ record }) => (isWellFormed(record) ? undefined : 'malformed') },
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
        const agent = classifyAgent(draft.record.userAgent)
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
        draft.referrer = facts.referrerLabel(referrer, toOwnHosts(host))
        return undefined
      },
    },
    {
      name: 'language',
      run(draft) {
        draft.language = readLanguage(draft.record.language)
        return undefined
      },
    },
  ]
}

/** Runs the steps up to the first that drops the click. A step that throws drops this click only. */
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

/** Checks the values that ClickHouse would refuse; the checksum does not cover a defect of the writer. */
export function isWellFormed(record: ClickRecord): boolean {
  return (
    ULID.test(record.clickId) &&
    ID.test(record.workspaceId) &&
    ID.test(record.linkId) &&
    Number.isInteger(record.atMs) &&
    record.atMs >= EARLIEST_MS &&
    record.atMs < LATEST_MS
  )
}
