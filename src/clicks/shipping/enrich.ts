import { memoize } from '../../platform/core/functions.ts'
import { classifyAgent, type AgentKind } from '../../platform/facts/bots.ts'
import { placeOf } from '../../platform/facts/country.ts'
import type { Place } from '../../platform/facts/geo-fields.ts'
import { createDevices, type Device } from '../../platform/facts/device.ts'
import { languageLabel, referrerLabel } from '../../platform/facts/visit-headers.ts'
import type { ClickRecord } from '../journal/format.ts'
import { type PrivacySignals, NO_VISITOR, type Visitors } from './visitor.ts'

/** Only `human` ones count as clicks; a `view` of a page is no redirect. */
export const KINDS = ['human', 'bot', 'preview', 'prefetch', 'view'] as const
export type Kind = (typeof KINDS)[number]

/** Why a journal record is not stored as a row. Each is counted. */
export const DROP_REASONS = [
  /** The bytes do not match their checksum. */
  'unreadable',
  /** An id or the time is impossible. */
  'malformed',
  /** The workspace was deleted. */
  'workspace_gone',
  /** A view of a page by a program, or a prefetch. */
  'no_visit',
  /** The enrichment threw. */
  'failed',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

export type EnrichedClick = Place &
  Device & {
    record: ClickRecord
    kind: Kind
    visitor: string
    referrer: string
    language: string
  }

export type Enrich = (record: ClickRecord) => EnrichedClick | DropReason

export type EnrichDeps = {
  visitors: Pick<Visitors, 'identify'>
  signals: Pick<PrivacySignals, 'areHonored'>
  locate: (ip: string) => Place
  /** Hosts of this installation. A click that comes from one of them has no referrer. */
  ownHosts: readonly string[]
}

const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const ID = /^[A-Za-z0-9_-]{1,64}$/
const EARLIEST_MS = Date.UTC(2020, 0)
const LATEST_MS = Date.UTC(2200, 0)
const CACHED_AGENTS = 10_000
const CACHED_HOSTS = 1_000

/** The client address is used only for `visitor` and `locate`. */
export function createEnrich({ visitors, signals, locate, ownHosts }: EnrichDeps): Enrich {
  const classify = memoize(CACHED_AGENTS, classifyAgent)
  const readDevice = createDevices()
  const toOwnHosts = memoize(CACHED_HOSTS, (host) => [...ownHosts, host])
  const readLanguage = memoize(CACHED_AGENTS, languageLabel)

  function enrich(record: ClickRecord): EnrichedClick | DropReason {
    if (!isWellFormed(record)) return 'malformed'
    const visitor = visitors.identify(record.workspaceId, record.ip, record.userAgent)
    if (visitor === undefined) return 'workspace_gone'
    const kind = toKind(record, classify(record.userAgent))
    if (record.isView && kind !== 'view') return 'no_visit'
    return {
      ...placeOf(record.country, locate(record.ip)),
      ...readDevice(record.userAgent),
      record,
      kind,
      visitor:
        wantsNoVisitor(record) && signals.areHonored(record.workspaceId) ? NO_VISITOR : visitor,
      referrer: referrerLabel(record.referrer, toOwnHosts(record.host)),
      language: readLanguage(record.language),
    }
  }

  return (record) => {
    try {
      return enrich(record)
    } catch {
      return 'failed'
    }
  }
}

export function wantsNoVisitor({ hasGpc, hasDnt }: ClickRecord): boolean {
  return hasGpc || hasDnt
}

function toKind(record: ClickRecord, agent: AgentKind): Kind {
  if (agent !== 'human') return agent
  if (record.isPrefetch) return 'prefetch'
  return record.isView ? 'view' : agent
}

/** Checks values that ClickHouse would refuse; the checksum does not cover bugs in the writer. */
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
