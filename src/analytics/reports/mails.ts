import type { Language } from '../../platform/facts/languages.ts'
import { roleAtLeast, ROLES } from '../../platform/routes/principal.ts'
import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { isWithinLimit } from '../../platform/limits/rate-limits.ts'
import type { Dependencies, Limiter } from '../../platform/resources/dependencies.ts'
import { readerOf } from './run.ts'
import type { ReportType } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'log' | 'mails'> & {
  /** Mails about reports to one address. */
  addressLimiter: Limiter
}

type Finished = {
  id: string
  workspaceId: string
  workspaceName: string
  name: string
  type: ReportType
  mailTo: string[]
}
type Recipient = { name: string; email: string; emailKey: string; language: Language | null }

/**
 * Mails to the recipients of scheduled reports. They go to members alone, as of the moment of the mail, who can also
 * open what the mail links to: so a schedule sends nothing to strangers, and a removed member gets none.
 */
export async function mailReports(deps: Deps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted)
    if (!(await inTransaction(deps.systemSql, (tx) => sendNext(deps, tx)))) return
}

/** @returns false when there is nothing to send, or the queue of mails is full */
async function sendNext(deps: Deps, tx: Tx): Promise<boolean> {
  const [report] = await tx<Finished[]>`
    select r.id, r.workspace_id, w.name as workspace_name, r.name, r.type, r.mail_to from reports r
    join workspaces w on w.id = r.workspace_id and w.suspended_at is null
    where r.mail_to is not null
    order by r.generated_at limit 1 for update of r skip locked`
  if (!report) return false
  const left = new Set(report.mailTo)
  let isFull = false
  for (const { name, email, emailKey, language } of await readMembers(tx, report)) {
    const { workspaceId, workspaceName, name: reportName } = report
    const reader = { name, language: language ?? undefined }
    if (await isMailable(deps, emailKey))
      isFull = !deps.mails.reportReady(email, {
        ...{ ...reader, workspaceId, workspaceName, reportName },
      })
    if (isFull) break
    left.delete(emailKey)
  }
  await tx`
    update reports set mail_to = ${isFull ? [...left] : null}
    where id = ${report.id} and workspace_id = ${report.workspaceId}`
  return !isFull
}

/** Those of the recipients who may open the report now. */
function readMembers(tx: Tx, { workspaceId, type, mailTo }: Finished) {
  const roles = ROLES.filter((role) => roleAtLeast(role, readerOf(type)))
  return tx<Recipient[]>`
    select u.name, u.email, u.email_key, u.preferences->>'language' as language
    from members m join users u on u.id = m.user_id
    where m.workspace_id = ${workspaceId} and u.suspended_at is null
      and u.email_key = any(${mailTo}::text[]) and m.role = any(${roles}::text[])
    order by u.email_key`
}

/** False for an address that has had its mails of the day, which is logged. */
async function isMailable({ addressLimiter, log }: Deps, emailKey: string): Promise<boolean> {
  const isMailed = await isWithinLimit(addressLimiter.consume(emailKey))
  if (!isMailed) log.warn('a mail about a report was not sent: the address has had too many today')
  return isMailed
}
