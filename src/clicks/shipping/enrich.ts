import { memoize } from '../../platform/core/memo.ts'
import type { AgentKind } from '../../platform/facts/bots.ts'
import { placeOf } from '../../platform/facts/country.ts'
import type { Place } from '../../platform/facts/geo-fields.ts'
import type { Device } from '../../platform/facts/device.ts'
import type { ClickRecord } from '../journal/format.ts'
import type { PrivacySignals } from './signals.ts'
import { NO_VISITOR, type Visitors } from './visitor.ts'

/**
 * Kinds of rows. Only `human` ones count as clicks. The other kinds of clients are stored and reported
 * apart; a `view` of a page is no redirect and is in no figure about clicks.
 */
export const KINDS = ['human', 'bot', 'preview', 'prefetch', 'view'] as const
export type Kind = (typeof KINDS)[number]

/** Reasons for which a journal record is not stored as a row. Each is counted. */
export const DROP_REASONS = [
  /** The bytes do not match their checksum. */
  'unreadable',
  /** An id or the time is impossible. */
  'malformed',
  /** The workspace was deleted. */
  'workspace_gone',
  /** A view of a page by a program, or ahead of its visitor. */
  'no_visit',
  /** The enrichment threw. */
  'failed',
] as const
export type DropReason = (typeof DROP_REASONS)[number]

/** A click with the fields of its row. */
export type EnrichedClick = Place &
  Device & {
    record: ClickRecord
    kind: Kind
    visitor: string
    referrer: string
    language: string
  }

/** Enriches one click, or returns the reason for which it is dropped. Never throws. */
export type Enrich = (record: ClickRecord) => EnrichedClick | DropReason

/** Functions of the room `facts`. */
export type Facts = {
  classifyAgent(userAgent: string): AgentKind
  readDevice(userAgent: string): Device
  locate(ip: string): Place
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

/** Reads the client address for `visitor` and `locate` only. */
export function createEnrich(
  facts: Facts,
  visitors: Pick<Visitors, 'identify'>,
  signals: Pick<PrivacySignals, 'areHonored'>,
): Enrich {
  const classifyAgent = memoize(CACHED_AGENTS, facts.classifyAgent)
  const toOwnHosts = memoize(CACHED_HOSTS, (host) => [...facts.ownHosts, host])
  const readLanguage = memoize(CACHED_AGENTS, facts.languageLabel)

  function enrich(record: ClickRecord): EnrichedClick | DropReason {
    if (!isWellFormed(record)) return 'malformed'
    const visitor = visitors.identify(record.workspaceId, record.ip, record.userAgent)
    if (visitor === undefined) return 'workspace_gone'
    const kind = toKind(record, classifyAgent(record.userAgent))
    if (record.isView && kind !== 'view') return 'no_visit'
    const place = placeOf(record.country, facts.locate(record.ip))
    const { device, browser, os } = facts.readDevice(record.userAgent)
    return {
      record,
      kind,
      visitor:
        wantsNoVisitor(record) && signals.areHonored(record.workspaceId) ? NO_VISITOR : visitor,
      country: place.country,
      region: place.region,
      city: place.city,
      continent: place.continent,
      device,
      browser,
      os,
      referrer: facts.referrerLabel(record.referrer, toOwnHosts(record.host)),
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

/** `Sec-GPC: 1` or `DNT: 1`. */
export function wantsNoVisitor({ hasGpc, hasDnt }: ClickRecord): boolean {
  return hasGpc || hasDnt
}

function toKind(record: ClickRecord, agent: AgentKind): Kind {
  if (agent !== 'human') return agent
  if (record.isPrefetch) return 'prefetch'
  return record.isView ? 'view' : agent
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
