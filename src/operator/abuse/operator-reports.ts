import { bindDeps } from '../../platform/core/bind-deps.ts'
import { OperatorError } from '../../platform/core/errors.ts'
import { isMixedScript } from '../../platform/facts/mixed-script.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { isoOrNull } from '../../platform/resources/shapes.ts'
import type { AbuseReport } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'clock'>

export type OperatorReport = Pick<
  AbuseReport,
  'id' | 'url' | 'reason' | 'details' | 'createdAt' | 'resolvedAt'
> & {
  email: string | null
  workspaceId: string | null
  linkId: string | null
  /** Host of the destination, in punycode; null without a link. */
  destinationHost: string | null
  /** Whether the letters of that host are of several alphabets, or imitate those of another one. */
  isMixedScript: boolean
}

type Row = Omit<
  OperatorReport,
  'createdAt' | 'resolvedAt' | 'destinationHost' | 'isMixedScript'
> & {
  destinationUrl: string | null
  createdAt: Date
  resolvedAt: Date | null
}

const MAX_LISTED = 100

/** The operator's commands about reports of abuse. */
export const createOperatorReports = (deps: Deps) => bindDeps(deps, { list, resolve })

/** The newest hundred reports: those that are open, or all. */
async function list({ systemSql }: Deps, { all = false }: { all?: boolean }) {
  const where = all ? systemSql`true` : systemSql`r.resolved_at is null`
  const rows = await systemSql<Row[]>`
    select r.id, r.url, r.reason, r.details, r.email, r.workspace_id, r.link_id, r.created_at,
      r.resolved_at, l.destination_url
    from abuse_reports r left join links l on l.id = r.link_id and l.workspace_id = r.workspace_id
    where ${where} order by r.created_at desc, r.id desc limit ${MAX_LISTED}`
  const [counted] = await systemSql<[{ total: number }]>`
    select count(*) as total from abuse_reports r where ${where}`
  return { reports: rows.map(toReport), total: counted.total }
}

/** @throws OperatorError for a report that does not exist, or is resolved */
async function resolve({ systemSql, clock }: Deps, { id }: { id: string }) {
  const [row] = await systemSql<{ id: string }[]>`
    update abuse_reports set resolved_at = ${new Date(clock())}
    where id = ${id} and resolved_at is null returning id`
  if (!row) throw new OperatorError(`There is no open report ${JSON.stringify(id)}.`)
  return { id }
}

function toReport({ destinationUrl, createdAt, resolvedAt, ...row }: Row): OperatorReport {
  const host = destinationUrl === null ? null : (URL.parse(destinationUrl)?.hostname ?? null)
  return {
    ...row,
    destinationHost: host,
    isMixedScript: host !== null && isMixedScript(host),
    createdAt: createdAt.toISOString(),
    resolvedAt: isoOrNull(resolvedAt),
  }
}
