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
import type { DomainRow } from './row.ts'
import { URL_FIELDS, type UpdateDomain, type UrlField } from './schema.ts'

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
      throw invalid(path, `${path} must not be an address of the domain itself.`, 'invalid_url')
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

export function targetsOf(row: Partial<Settings>): FieldTarget[] {
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
