import { invalid, itHas } from '../../platform/core/errors.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import { checkDestination } from '../../links/link/destination.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  blockedTarget,
  findBlockedTarget,
  readBlockedTargets,
  type Target,
} from '../../links/write/refusals.ts'
import { COLUMNS, toDomain, type DomainRow } from './row.ts'
import { URL_FIELDS, type UpdateDomain, type UrlField } from './schema.ts'
import { bindDeps } from '../../platform/core/functions.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import { getChanges } from '../../platform/audit/audit.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { announceDomain } from '../../links/link/addresses.ts'
import { changeTime } from '../../platform/resources/versions.ts'

type Settings = Pick<
  DomainRow,
  | 'isDefault'
  | 'caseSensitive'
  | 'rootRedirectUrl'
  | 'notFoundUrl'
  | 'expiredUrl'
  | 'appleAppSiteAssociation'
  | 'assetLinks'
>

type FieldTarget = Target & { path: UrlField }

const FILE_MAX_BYTES = 65_536
const FILES = ['appleAppSiteAssociation', 'assetLinks'] as const

export function checkSettings(
  { shortHost }: Pick<LinkDeps, 'shortHost'>,
  hostname: string,
  input: UpdateDomain,
): Partial<Settings> {
  const columns: Partial<Settings> = {}
  if (input.isDefault !== undefined) columns.isDefault = input.isDefault
  if (input.caseSensitive !== undefined) columns.caseSensitive = input.caseSensitive
  for (const path of URL_FIELDS) {
    const url = input[path]
    if (url === undefined) continue
    columns[path] = url?.trim() ? checkDestination(url, shortHost().isOwn, path) : null
    // If that page of the domain were missing too, the redirects would never end.
    if (columns[path] !== null && new URL(columns[path]).hostname === hostname)
      throw invalid(path, `${path} must not lead to the domain itself.`, 'invalid_url')
  }
  for (const path of FILES) {
    const file = input[path]
    const bytes = Buffer.byteLength(JSON.stringify(file ?? null))
    if (bytes > FILE_MAX_BYTES)
      throw invalid(
        path,
        `${path} must have at most ${FILE_MAX_BYTES} bytes as JSON${itHas(path, bytes)}.`,
        'too_long',
      )
  }
  if (input.appleAppSiteAssociation !== undefined)
    columns.appleAppSiteAssociation = input.appleAppSiteAssociation
  if (input.assetLinks !== undefined) columns.assetLinks = input.assetLinks
  return columns
}

function targetsOf(row: Partial<Settings>): FieldTarget[] {
  return URL_FIELDS.flatMap((path) => (row[path] ? [{ path, url: row[path] }] : []))
}

export async function checkBlocked(
  tx: Tx,
  before: Pick<DomainRow, 'blockedUrls'> & Partial<Settings>,
  settings: Partial<Settings>,
): Promise<DomainRow['blockedUrls']> {
  const changed = URL_FIELDS.filter(
    (path) => settings[path] !== undefined && settings[path] !== before[path],
  )
  const targets = targetsOf(settings).filter(({ path }) => changed.includes(path))
  const found = findBlockedTarget(targets, await readBlockedTargets(tx, targets))
  if (found) throw blockedTarget(found)
  return before.blockedUrls.filter((path) => !changed.includes(path))
}

type Deps = Pick<Dependencies, 'clock' | 'audit'>
type Batch = {
  after: string
  limit: number
  which: 'with urls' | 'with blocked'
}

export type DomainBlocking = ReturnType<typeof createDomainBlocking>

export const createDomainBlocking = (deps: Deps) => bindDeps(deps, { refreshBlocked })

async function refreshBlocked(deps: Deps, tx: Tx, { after, limit, which }: Batch) {
  const rows = await tx<DomainRow[]>`
    select ${tx.unsafe(COLUMNS)} from domains
    where id > ${after} and ${
      which === 'with blocked'
        ? tx`blocked_urls <> '{}'`
        : tx`coalesce(root_redirect_url, not_found_url, expired_url) is not null`
    }
    order by id limit ${limit}`
  const changed = await findChanged(tx, rows)
  if (changed.length > 0) {
    const locked = await tx<DomainRow[]>`
      select ${tx.unsafe(COLUMNS)} from domains
      where id = any(${changed.map(({ before }) => before.id)}::text[]) order by id for update`
    for (const domain of await findChanged(tx, locked)) await write(deps, tx, domain)
  }
  return rows.length < limit ? null : rows.at(-1)!.id
}

type Refreshed = { before: DomainRow; blockedUrls: DomainRow['blockedUrls'] }

async function findChanged(tx: Tx, rows: readonly DomainRow[]): Promise<Refreshed[]> {
  const hosts = await readBlockedTargets(tx, rows.flatMap(targetsOf))
  return rows.flatMap((before) => {
    const blocked = targetsOf(before).filter((target) => findBlockedTarget([target], hosts))
    const blockedUrls = blocked.map(({ path }) => path)
    return blockedUrls.join() === before.blockedUrls.join() ? [] : [{ before, blockedUrls }]
  })
}

async function write(deps: Deps, tx: Tx, { before, blockedUrls }: Refreshed): Promise<void> {
  const { id, workspaceId, hostname } = before
  const updatedAt = changeTime(deps.clock(), before)
  const after = { ...before, blockedUrls, updatedAt }
  await tx`
    update domains set blocked_urls = ${blockedUrls}, updated_at = ${updatedAt}
    where id = ${id} and workspace_id = ${workspaceId}`
  await announceDomain(tx, id)
  await deps.audit(tx, systemActing(workspaceId, 'operator'), {
    action: 'domain.updated',
    target: { type: 'domain', id, name: hostname },
    changes: getChanges(toDomain(before), toDomain(after), ['updatedAt']),
  })
}
