import { bindDeps } from '../../platform/core/bind-deps.ts'
import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import { page } from '../../platform/routes/route.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { networkOf } from '../../platform/facts/network.ts'
import { isWithinLimit, type RateLimiter } from '../../platform/limits/rate-limits.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { checkAddress } from '../../platform/mail/email-address.ts'
import { refuseForeign } from '../../platform/resources/foreign.ts'
import { countRows, pageMeta } from '../../platform/resources/paging.ts'
import { clampLimit, isoOrNull } from '../../platform/resources/shapes.ts'
import type { AbuseReport, ListAbuseReports, ReportAbuse } from './schema.ts'
import { findShortLink, toShortUrl, type ToDomain } from '../../links/short-link.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'reads' | 'clock' | 'limiter'> & {
  /** @param askedHost that of the request, where the server does not know its own address */
  toDomainOf: (askedHost: string) => ToDomain
}
type Limited = Deps & { byNetwork: RateLimiter; byLink: RateLimiter; inAll: Limiter }

/** The sender of a report. */
export type Reporter = {
  address: string
  /** The Host header. */
  host: string
}

export type AbuseReports = ReturnType<typeof createAbuseReports>

const CONTROL_BUT_LINES = /(?![\n\r\t])\p{Cc}/u

/** Reports of abuse: written by any visitor, read by admins of the workspace that they concern. */
export const createAbuseReports = (deps: Deps) =>
  bindDeps(
    {
      ...deps,
      byNetwork: deps.limiter('abuse-report'),
      byLink: deps.limiter('abuse-report-link'),
      inAll: deps.limiter('abuse-reports'),
    },
    { report, list },
  )

/**
 * Stores a report, unless its link has had enough of them in this hour. It is stored as well when there is no such link, so
 * that neither the answer nor its time says whether there is one.
 * @throws ApiError VALIDATION_ERROR; RATE_LIMITED by the network of the client, and by all clients together
 */
async function report(
  deps: Limited,
  { address, host }: Reporter,
  input: ReportAbuse,
): Promise<void> {
  const { url, ...texts } = checkReport(input)
  const { limit, remaining } = await deps.byNetwork.consume(networkOf(address))
  const { systemSql, toDomainOf, clock } = deps
  const found = await findShortLink({ systemSql, toDomain: toDomainOf(host) }, url)
  const reported = found?.linkId ?? url.host + url.pathname
  if (!(await isWithinLimit(deps.byLink.check(reported)))) return
  await deps.inAll.consume(remaining === limit - 1 ? 'first' : 'further')
  // Reports at the same time may have passed the check together.
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

/** Reports about links of the workspace, newest first. */
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
