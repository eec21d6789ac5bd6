import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import { page } from '../../platform/routes/route.ts'
import { createShapeCheck } from '../../platform/routes/shape-check.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import type { SignClick } from '../../platform/facts/click-identity.ts'
import { allOf, inWorkspace } from '../../platform/storage/postgres/postgres.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { foreignId } from '../../platform/resources/ownership.ts'
import {
  attribute,
  canCount,
  isInWindow,
  unattributed,
  type Attribution,
  type CustomerClick,
} from './attribution.ts'
import type { ClickLookup, FoundClicks } from './clicks.ts'
import { toDraft, type Draft } from './draft.ts'
import {
  fromLead,
  fromSale,
  toTracked,
  toTrackedSale,
  type TrackLead,
  type TrackSale,
} from './dub.ts'
import {
  readCustomerClicks,
  readLinks,
  readSlugs,
  toNamedLink,
  type CustomerClicks,
} from './references.ts'
import { NewConversion, type RecordConversions, type Recorded, type RecordedRow } from './schema.ts'
import { insertNew, readRepeated, toEvent, toRecorded, type NewRow } from './store.ts'

export type ConversionDeps = Pick<
  Dependencies,
  'sql' | 'clock' | 'requireCapability' | 'publish' | 'saveIdempotentResponse'
> & {
  sign: SignClick
  lookup: Pick<ClickLookup, 'find'>
  sharedHost: () => string
}

export type Conversions = ReturnType<typeof createConversions>

const checkRow = createShapeCheck(NewConversion, 'A conversion')
const MAX_WAITING = 10_000

/**
 * Stores what servers report, each event once, and attributes it to a link:
 *
 *   request ─▶ links, customers: PostgreSQL ─▶ bare ids: ClickHouse ─▶ row and event, in one transaction
 *                                                  └ not stored yet ─▶ waiting (waiting.ts)
 *
 * A signed id needs no ClickHouse: the labels of its click follow (labels.ts).
 *
 * conversion.received is published with the attribution, and so once.
 */
export const createConversions = (deps: ConversionDeps) =>
  bindDeps(deps, { record, trackLead, trackSale })

type Outcome = Recorded | ApiError
type Prepared = Omit<NewRow, 'attribution'> & {
  index: number
  signedLink: NewRow['namedLink']
  customer: CustomerClicks
}

async function record(deps: ConversionDeps, principal: Principal, body: RecordConversions) {
  if (!Array.isArray(body))
    return recordOne(deps, principal, body, (recorded) => page(recorded, {}))
  const outcomes: Outcome[] = []
  const prepared = await prepare(deps, principal, body, outcomes)
  const rows = await attributeRows(deps, principal, prepared)
  // Two lists with the same events in another order wait for each other.
  return store(deps, principal, rows, (recorded) => {
    for (const [place, { index }] of prepared.entries()) outcomes[index] = recorded[place]!
    return toList(outcomes)
  })
}

async function recordOne<Answer>(
  deps: ConversionDeps,
  principal: Principal,
  input: NewConversion,
  toAnswer: (recorded: Recorded) => Answer,
): Promise<Answer> {
  const outcomes: Outcome[] = []
  const prepared = await prepare(deps, principal, [input], outcomes)
  const [error] = outcomes
  if (error instanceof ApiError) throw error
  const rows = await attributeRows(deps, principal, prepared)
  return store(deps, principal, rows, ([recorded]) => toAnswer(recorded!))
}

async function attributeRows(
  deps: ConversionDeps,
  principal: Principal,
  prepared: readonly Prepared[],
) {
  const found = await findNamed(deps, principal, prepared)
  return boundWaiting(deps, principal, attributeAll(prepared, found))
}

async function trackLead(deps: ConversionDeps, principal: Principal, input: TrackLead) {
  return recordOne(deps, principal, fromLead(input), (recorded) =>
    toTracked(input, { ...recorded, eventName: input.eventName }),
  )
}

async function trackSale(deps: ConversionDeps, principal: Principal, input: TrackSale) {
  return recordOne(deps, principal, fromSale(input), (recorded) => toTrackedSale(input, recorded))
}

async function prepare(
  deps: ConversionDeps,
  principal: Principal,
  given: readonly unknown[],
  outcomes: Outcome[],
): Promise<Prepared[]> {
  const nowMs = deps.clock()
  const drafts = given.flatMap((row, index) => {
    const draft = attempt(outcomes, index, () =>
      toDraft(principal, checkRow(row), { nowMs, sign: deps.sign, index }),
    )
    return draft ? [{ index, draft }] : []
  })
  const references = await readReferences(
    deps,
    principal,
    drafts.map(({ draft }) => draft),
  )
  return drafts.flatMap(({ index, draft }, place) => {
    const row = attempt(outcomes, index, () => references(draft, place))
    return row ? [{ index, draft, ...row }] : []
  })
}

/** A row that is refused has its error among the outcomes, and the others go on. */
function attempt<T>(outcomes: Outcome[], index: number, work: () => T): T | null {
  try {
    return work()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    outcomes[index] = error
    return null
  }
}

const NO_CUSTOMER: CustomerClicks = { click: undefined, isWaiting: false }

async function readReferences(
  { sql, sharedHost }: ConversionDeps,
  principal: Principal,
  drafts: readonly Draft[],
): Promise<(draft: Draft, place: number) => Omit<Prepared, 'index' | 'draft'>> {
  const ids = drafts.flatMap(({ click, link }) => [
    ...(toSignedId(click) ?? []),
    ...(link !== null && 'id' in link ? [link.id] : []),
  ])
  const slugs = drafts.map(({ link }) => (link !== null && 'slug' in link ? link : null))
  const named = slugs.filter((link) => link !== null)
  const customers = drafts.filter(({ customerId, link }) => customerId !== null && link === null)
  if (ids.length + named.length + customers.length === 0)
    return () => ({ namedLink: null, signedLink: null, customer: NO_CUSTOMER })
  const [links, ofSlugs, ofCustomers] = await inWorkspace(
    sql,
    principal.workspaceId,
    async (tx) =>
      [
        await readLinks(tx, principal, ids),
        await readSlugs(tx, principal, sharedHost(), named),
        await readCustomerClicks(tx, principal, customers),
      ] as const,
  )
  return (draft, place) => {
    const slug = slugs[place]
    const [signedId = null] = toSignedId(draft.click) ?? []
    if (signedId !== null && links.foreign.has(signedId)) throw foreignId('clickId')
    return {
      namedLink: toNamedLink(draft, links, slug ? ofSlugs[named.indexOf(slug)]! : []),
      signedLink: signedId === null ? null : (links.own.get(signedId) ?? null),
      customer: ofCustomers[customers.indexOf(draft)] ?? NO_CUSTOMER,
    }
  }
}

function toSignedId(click: Draft['click']): [string] | null {
  if (click === null || click === 'unknown' || click.linkId === null) return null
  return [click.linkId]
}

function findNamed(
  { lookup }: ConversionDeps,
  { workspaceId }: Principal,
  prepared: readonly Prepared[],
): Promise<FoundClicks> {
  const clicks = prepared.flatMap(({ draft, signedLink }) => {
    const { click } = draft
    const isKnown = click === null || click === 'unknown' || signedLink !== null
    return !isKnown && isInWindow(draft) ? [click] : []
  })
  return lookup.find(workspaceId, clicks)
}

/** A row can be attributed by an earlier row of the same request with the same customer. */
function attributeAll(prepared: readonly Prepared[], found: FoundClicks): NewRow[] {
  const clicks = new Map<string, CustomerClick>()
  const waiting = new Set<string>()
  return prepared.map(({ draft, namedLink, signedLink, customer }) => {
    const { click, customerId } = draft
    const named = click === null || click === 'unknown' ? undefined : found.get(click.clickId)
    const earlier = clicks.get(customerId ?? '')
    const isEarlier = earlier && canCount(earlier.clickedAt.getTime(), draft.occurredAt)
    const attribution = attribute(draft, {
      found: named,
      link: namedLink,
      signedLink,
      customerClick: isEarlier ? earlier : customer.click,
      isCustomerWaiting: customer.isWaiting || waiting.has(customerId ?? ''),
      isLast: false,
    })
    if (customerId !== null) {
      const own = toCustomerClick(attribution)
      if (own) clicks.set(customerId, own)
      if (attribution.status === 'waiting') waiting.add(customerId)
    }
    return { draft, attribution, namedLink }
  })
}

function toCustomerClick({ link, clickId, clickedAt, labels }: Attribution): CustomerClick | null {
  if (link === null || clickId === null || clickedAt === null) return null
  return { linkId: link.id, slug: link.slug, clickId, clickedAt, labels }
}

async function boundWaiting({ sql }: ConversionDeps, { workspaceId }: Principal, rows: NewRow[]) {
  const isWaiting = ({ attribution }: NewRow) => attribution.status === 'waiting'
  const wanted = rows.filter(isWaiting).length
  if (wanted === 0) return rows
  const [{ waiting }] = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<[{ waiting: number }]>`
      select count(*) as waiting from (
        select from conversions
        where workspace_id = ${workspaceId} and status = 'waiting' limit ${MAX_WAITING}) as counted`,
  )
  if (waiting + wanted <= MAX_WAITING) return rows
  return rows.map((row) =>
    isWaiting(row) ? { ...row, attribution: unattributed('too_many_waiting') } : row,
  )
}

async function store<Answer>(
  { sql, publish, saveIdempotentResponse, requireCapability }: ConversionDeps,
  principal: Principal,
  rows: readonly NewRow[],
  toAnswer: (recorded: readonly Recorded[]) => Answer,
): Promise<Answer> {
  const { workspaceId } = principal
  return inWorkspace(sql, workspaceId, async (tx) => {
    const [, inserted] = await allOf([
      requireCapability(tx, workspaceId, 'conversions'),
      insertNew(tx, principal, rows),
    ])
    const isNew = ({ draft }: NewRow) => inserted.has(draft.id)
    const others = rows.filter((row) => !isNew(row)).map(({ draft }) => draft)
    const [, repeated] = await allOf([
      publish(
        tx,
        ...rows
          .filter((row) => isNew(row) && row.attribution.status !== 'waiting')
          .map(({ draft, attribution }) => toEvent(workspaceId, draft, attribution)),
      ),
      readRepeated(tx, principal, others),
    ])
    const recorded = rows.map((row) =>
      isNew(row) ? toRecorded(row) : repeated[others.indexOf(row.draft)]!,
    )
    return saveIdempotentResponse(tx, principal, toAnswer(recorded))
  })
}

function toList(outcomes: readonly Outcome[]) {
  const rows = outcomes.map((outcome, index): RecordedRow => {
    if (!(outcome instanceof ApiError)) return { index, ...outcome, error: null }
    const { code, message, details } = outcome
    const error = {
      code,
      message,
      details: Array.isArray(details)
        ? (details as ErrorDetail[]).map((detail) => ({
            ...detail,
            path: [index, detail.path].filter((part) => part !== '').join('.'),
          }))
        : details,
    }
    const nothing = { id: null, eventId: null, linkId: null, clickId: null }
    return { index, ...nothing, duplicate: false, attributed: false, error }
  })
  const failed = rows.filter(({ error }) => error !== null).length
  return page(rows, { total: rows.length, succeeded: rows.length - failed, failed })
}
