import { UTM_FIELDS } from '../utm.ts'
import { toLink, type LinkRow } from '../link/row.ts'
import type { Link } from '../link/schema.ts'
import type { ShortHost } from '../link/short-host.ts'

/** A row of an export: a link, and the names of what groups it. */
export type ExportRow = LinkRow & {
  folderName: string | null
  campaignName: string | null
  /** UTM values that a new link of the campaign gets, in the order of `UTM_FIELDS`; null without a campaign. */
  campaignUtm: readonly (string | null)[] | null
}

/** Columns that are a field of a link, and those that are not. */
export const EXPORT_COLUMNS = [
  ...(['id', 'shortUrl', 'name', 'destinationUrl', 'slug', 'domain', 'externalId'] as const),
  ...(['status', 'redirectType', 'tags', 'folderId', 'folder', 'campaignId', 'campaign'] as const),
  ...(['utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'] as const),
  ...(['startsAt', 'expiresAt', 'expiredUrl', 'maxClicks', 'password'] as const),
  ...(['iosDeepLink', 'androidDeepLink', 'forwardQuery', 'noindex', 'trackConversions'] as const),
  ...(['aliases', 'metadata', 'rules', 'variants', 'variantsUntil', 'card'] as const),
  ...(['clicks', 'createdAt', 'updatedAt'] as const),
] as const

/**
 * The texts of a row, in the order of {@link EXPORT_COLUMNS}. Lists and objects are JSON, but for tags, which have
 * no commas. The status is the stored one, since `expired` follows from other columns and cannot be written. A UTM
 * field that the link does not have is null where the campaign would give it to a new link, else empty.
 */
export function toExportTexts(row: ExportRow, host: ShortHost, nowMs: number): (string | null)[] {
  const link = toLink(row, host, nowMs)
  const own: Record<string, string | null> = {
    folder: row.folderName,
    campaign: row.campaignName,
    tags: link.tags.join(','),
    status: row.status,
  }
  const withheld = new Set<string>(
    UTM_FIELDS.filter((name, at) => link[name] === null && row.campaignUtm?.[at]),
  )
  return EXPORT_COLUMNS.map((column) =>
    withheld.has(column) ? null : toText(column in own ? own[column] : link[column as keyof Link]),
  )
}

/** Empty for null and for an empty list. */
function toText(value: string | number | boolean | object | null | undefined): string {
  if (value === null || value === undefined) return ''
  if (Array.isArray(value) && value.length === 0) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
