import { bindDeps } from '../../platform/core/functions.ts'
import { ApiError, invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { isMixedScript } from '../../platform/facts/hosts.ts'
import { networkOf } from '../../platform/facts/ip-address.ts'
import { isWithinLimit, type RateLimiter } from '../../platform/limits/rate-limits.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { checkAddress } from '../../platform/resources/field-checks.ts'
import { refuseForeign } from '../../platform/resources/ownership.ts'
import { countRows, pageMeta } from '../../platform/resources/lists.ts'
import { inPieces, PIECE_ROWS } from '../../platform/resources/purge-steps.ts'
import { clampLimit, isoOrNull } from '../../platform/resources/shapes.ts'
import {
  type AbuseReport,
  type ListAbuseReports,
  type ReportAbuse,
  type ServerAbuseReport,
  ABUSE_REASONS,
  DETAILS_MAX_CHARS,
  URL_MAX_CHARS,
} from './schema.ts'
import { findShortLink, toShortUrl, type ToDomain } from '../../links/link/addresses.ts'
import type { Language } from '../../platform/facts/languages.ts'
import { FORM_TEXTS } from '../../platform/text/forms.ts'
import { escapeHtml, htmlPage, messagePage } from '../../platform/http/html.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'reads' | 'clock' | 'limiter'> & {
  toDomainOf: (requestHost: string) => ToDomain
}
type Limited = Deps & { byNetwork: RateLimiter; byLink: RateLimiter; inAll: Limiter }

type Reporter = { address: string; /** The Host header. */ host: string }

export type AbuseReports = ReturnType<typeof createAbuseReports>

const CONTROL_BUT_LINES = /(?![\n\r\t])\p{Cc}/u
const MAX_LISTED = 100
/** Bounds, so that strangers cannot fill the database. */
const KEPT_DAYS = 90
const MAX_KEPT = 100_000

export const createAbuseReports = (deps: Deps) =>
  bindDeps(
    {
      ...deps,
      byNetwork: deps.limiter('abuse-report'),
      byLink: deps.limiter('abuse-report-link'),
      inAll: deps.limiter('abuse-reports'),
    },
    { report, list, listAll, resolve, deleteOldReports },
  )

/**
 * A report of an unknown link is stored too, so that neither the answer nor its time reveals whether the link
 * exists.
 */
async function report(deps: Limited, { address, host }: Reporter, input: ReportAbuse) {
  const { url, ...texts } = checkReport(input)
  const { limit, remaining } = await deps.byNetwork.consume(networkOf(address))
  const { systemSql, toDomainOf, clock } = deps
  const found = await findShortLink({ systemSql, toDomain: toDomainOf(host) }, url)
  const reported = found?.linkId ?? url.host + url.pathname
  if (!(await isWithinLimit(deps.byLink.check(reported)))) return
  await deps.inAll.consume(remaining === limit - 1 ? 'first' : 'further')
  // Several reports may have passed the check at the same time.
  if (!(await isWithinLimit(deps.byLink.consume(reported)))) return
  const now = new Date(clock())
  const row = { id: newId('abr', now.getTime()), url: input.url.trim(), ...texts, createdAt: now }
  const { linkId = null, workspaceId = null } = found ?? {}
  await systemSql`insert into abuse_reports ${systemSql({ ...row, linkId, workspaceId })}`
}

function checkReport({ url: given, reason, details, email }: ReportAbuse) {
  const url = toShortUrl(given)
  if (url === null)
    throw invalid('url', 'url must be a short link, such as https://links.example.com/spring.')
  const text = details?.trim() ?? ''
  if (CONTROL_BUT_LINES.test(text))
    throw invalid('details', 'details must not contain control characters.')
  const address = email?.trim() ? checkAddress(email, 'email').email : null
  return { url, reason, details: text === '' ? null : text, email: address }
}

type Row = Omit<AbuseReport, 'status' | 'createdAt' | 'resolvedAt'> & {
  createdAt: Date
  resolvedAt: Date | null
}

async function list(
  { reads }: Limited,
  principal: Principal,
  query: ListAbuseReports,
  signal?: AbortSignal,
) {
  const { status, linkId, offset } = query
  const limit = clampLimit(query.limit)
  const isPart = status !== undefined || linkId !== undefined
  const [rows, counted] = await reads.read(principal, signal, async (tx) => {
    await refuseForeign(tx, principal, 'linkId', linkId)
    const where = tx`
      workspace_id = ${principal.workspaceId}
      ${status === undefined ? tx`` : tx`and resolved_at is ${status === 'open' ? tx`null` : tx`not null`}`}
      ${linkId === undefined ? tx`` : tx`and link_id = ${linkId}`}`
    return Promise.all([
      tx<Row[]>`
        select id, workspace_id, link_id, url, reason, details, created_at, resolved_at
        from abuse_reports where ${where}
        order by created_at desc, id desc limit ${limit} offset ${offset}`,
      countRows(tx, tx`abuse_reports where ${where}`, isPart),
    ])
  })
  return page(rows.map(toReport), pageMeta(counted, isPart, { limit, offset }))
}

function toReport({ createdAt, resolvedAt, ...row }: Row): AbuseReport {
  return {
    ...row,
    status: resolvedAt === null ? 'open' : 'resolved',
    createdAt: createdAt.toISOString(),
    resolvedAt: isoOrNull(resolvedAt),
  }
}

type OperatorRow = Omit<Row, 'workspaceId' | 'linkId'> & {
  email: string | null
  workspaceId: string | null
  linkId: string | null
  destinationUrl: string | null
}

type AllInput = {
  status?: AbuseReport['status'] | undefined
  limit?: number | undefined
  offset?: number | undefined
}

/** For operators: the reports about links of every workspace, and about none. */
async function listAll({ systemSql }: Deps, input: AllInput) {
  const { status, limit = MAX_LISTED, offset = 0 } = input
  const where =
    status === undefined
      ? systemSql`true`
      : systemSql`r.resolved_at is ${status === 'open' ? systemSql`null` : systemSql`not null`}`
  const rows = await systemSql<OperatorRow[]>`
    select r.id, r.url, r.reason, r.details, r.email, r.workspace_id, r.link_id, r.created_at,
      r.resolved_at, l.destination_url
    from abuse_reports r left join links l on l.id = r.link_id and l.workspace_id = r.workspace_id
    where ${where} order by r.created_at desc, r.id desc limit ${limit} offset ${offset}`
  const [counted] = await systemSql<[{ total: number }]>`
    select count(*) as total from abuse_reports r where ${where}`
  return { reports: rows.map(toOperatorReport), total: counted.total }
}

async function resolve({ systemSql, clock }: Deps, { id }: { id: string }) {
  const [row] = await systemSql<{ id: string }[]>`
    update abuse_reports set resolved_at = ${new Date(clock())}
    where id = ${id} and resolved_at is null returning id`
  if (!row) throw new ApiError('NOT_FOUND', `There is no open report ${JSON.stringify(id)}.`)
  return { id }
}

function toOperatorReport(found: OperatorRow): ServerAbuseReport {
  const { destinationUrl, createdAt, resolvedAt, ...row } = found
  const host = destinationUrl === null ? null : (URL.parse(destinationUrl)?.hostname ?? null)
  return {
    ...row,
    status: resolvedAt === null ? 'open' : 'resolved',
    destinationHost: host,
    isMixedScript: host !== null && isMixedScript(host),
    createdAt: createdAt.toISOString(),
    resolvedAt: isoOrNull(resolvedAt),
  }
}

export async function deleteOldReports(
  { systemSql, clock }: Pick<Deps, 'systemSql' | 'clock'>,
  signal: AbortSignal,
  maxKept = MAX_KEPT,
): Promise<void> {
  const since = new Date(clock() - KEPT_DAYS * 86_400_000)
  await inPieces(
    signal,
    () => systemSql`
      delete from abuse_reports where ctid = any(array(
        select ctid from abuse_reports where created_at < ${since}
        union all
        (select ctid from abuse_reports order by created_at desc, id desc offset ${maxKept})
        limit ${PIECE_ROWS}))`,
  )
}

/** The form for a report. @param url that fills it in; one that is too long for a report is left out */
export function reportForm(language: Language, url: string): string {
  const { report: texts } = FORM_TEXTS[language]
  const given = url.length > URL_MAX_CHARS ? '' : url
  const reasons = ABUSE_REASONS.map(
    (reason) => `<option value="${reason}">${escapeHtml(texts.reasons[reason])}</option>`,
  )
  return htmlPage({
    language,
    title: texts.title,
    content: `<p>${escapeHtml(texts.intro)}</p>
<form method="post" action="/report-abuse">
<label for="url">${escapeHtml(texts.url)}</label>
<input id="url" name="url" required maxlength="${URL_MAX_CHARS}" autocomplete="off" spellcheck="false" inputmode="url" dir="ltr" value="${escapeHtml(given)}">
<label for="reason">${escapeHtml(texts.reason)}</label>
<select id="reason" name="reason">${reasons.join('')}</select>
<label for="details">${escapeHtml(texts.details)}</label>
<textarea id="details" name="details" rows="4" maxlength="${DETAILS_MAX_CHARS}"></textarea>
<label for="email">${escapeHtml(texts.email)}</label>
<input id="email" name="email" type="email" maxlength="254" autocomplete="email">
<button type="submit">${escapeHtml(texts.send)}</button>
</form>`,
  })
}

export function reportedPage(language: Language): string {
  return messagePage({ language, ...FORM_TEXTS[language].report.sent })
}
