import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import type { Link } from '../link/schema.ts'
import { getChanges, type AuditAction, type Changes } from '../../platform/audit/audit.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { show, type LinkRow } from '../link/rows.ts'

export type Outcome =
  | { status: 'created' | 'updated' | 'unchanged' | 'deleted'; link: Link }
  | { status: 'failed'; error: ApiError }

export function failed(error: unknown): Outcome {
  if (error instanceof ApiError) return { status: 'failed', error }
  throw error
}

export function repeated(path: string, noun: string): ApiError {
  const message = `An earlier row of this request has this ${noun}.`
  return new ApiError('CONFLICT', message, [{ path, message, code: 'repeated' }])
}

export function requireLink(outcome: Outcome | undefined): Link {
  if (outcome?.status === 'failed') throw outcome.error
  return outcome!.link
}

export function toRows(
  outcomes: readonly Outcome[],
  toPath: (index: number, path: string) => string,
  ids: readonly (string | null)[] = [],
) {
  return outcomes.map((outcome, index) => {
    const { status } = outcome
    if (status !== 'failed') {
      const { id, externalId, shortUrl } = outcome.link
      return { index, id, status, externalId, shortUrl, error: null }
    }
    const { code, message, details } = outcome.error
    const withPath = (detail: ErrorDetail) => ({ ...detail, path: toPath(index, detail.path) })
    const own = Array.isArray(details) ? (details as ErrorDetail[]).map(withPath) : details
    const error = { code, message, details: own }
    return { index, id: ids[index] ?? null, status, externalId: null, shortUrl: null, error }
  })
}

export function toMeta(outcomes: readonly Outcome[]) {
  const failures = outcomes.filter(({ status }) => status === 'failed').length
  return { total: outcomes.length, succeeded: outcomes.length - failures, failed: failures }
}

export function recordChanges(
  { audit, publish }: LinkDeps,
  tx: Tx,
  principal: Principal,
  action: AuditAction,
  event: 'link.created' | 'link.updated' | 'link.deleted',
  changed: readonly { link: Link; changes: Changes }[],
) {
  const { workspaceId } = principal
  const entries = changed.map(({ link: { id, name }, changes }) => {
    return { action, target: { type: 'link', id, name }, changes }
  })
  const events = changed.map(({ link: { password: _password, ...shown }, changes }) => {
    const data = event === 'link.updated' ? { ...shown, ...toPrevious(changes) } : shown
    return { type: event, workspaceId, data }
  })
  return allOf([audit(tx, principal, ...entries), publish(tx, ...events)])
}

export function compareLinks(deps: LinkDeps, before: LinkRow, after: LinkRow) {
  const [shownBefore, link] = [show(deps, before), show(deps, after)]
  const changes = getChanges(shownBefore, link, ['updatedAt', 'clicks', 'lastClickedAt'])
  return { link, changes }
}

function toPrevious(changes: Changes) {
  const { password: _password, ...shown } = changes
  const previous = Object.entries(shown).map(([name, { old }]) => [name, old])
  return { changes: Object.keys(changes), previous: Object.fromEntries(previous) }
}

export function toAddressChanges(before: Link | null, after: Link | null): Changes {
  return {
    slug: { old: before?.slug ?? null, new: after?.slug ?? null },
    destinationUrl: { old: before?.destinationUrl ?? null, new: after?.destinationUrl ?? null },
  }
}
