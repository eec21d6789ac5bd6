import type { Schemas } from '../api/client.ts'
import { changesOf } from '../api/conflict.ts'
import { text } from '../text/domains.ts'
import type { Domain } from './queries.ts'

/** The settings of a domain as their form holds them: a field is a text, empty for none; files are JSON. */
export type SettingsDraft = {
  isDefault: boolean
  caseSensitive: boolean
  rootRedirectUrl: string
  notFoundUrl: string
  expiredUrl: string
  appleAppSiteAssociation: string
  assetLinks: string
}

export const URL_FIELDS = ['rootRedirectUrl', 'notFoundUrl', 'expiredUrl'] as const
export const FILE_FIELDS = ['appleAppSiteAssociation', 'assetLinks'] as const
export type FileField = (typeof FILE_FIELDS)[number]

export function draftOf(domain: Domain): SettingsDraft {
  const { isDefault, caseSensitive, appleAppSiteAssociation, assetLinks } = domain
  return {
    isDefault,
    caseSensitive,
    rootRedirectUrl: domain.rootRedirectUrl ?? '',
    notFoundUrl: domain.notFoundUrl ?? '',
    expiredUrl: domain.expiredUrl ?? '',
    appleAppSiteAssociation: toText(appleAppSiteAssociation),
    assetLinks: toText(assetLinks),
  }
}

function toText(file: object | null): string {
  return file === null ? '' : JSON.stringify(file, null, 2)
}

/**
 * The fields that the user has changed, as the API takes them.
 * @throws SyntaxError a file is no JSON
 */
export function toChanges(draft: SettingsDraft, before: SettingsDraft): Schemas['UpdateDomain'] {
  const changed = Object.entries(changesOf(draft, before))
  return Object.fromEntries(changed.map(([field, value]) => [field, toValue(field, value)]))
}

function toValue(field: string, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const trimmed = value.trim()
  if (trimmed === '') return null
  return FILE_FIELDS.some((each) => each === field) ? (JSON.parse(trimmed) as unknown) : trimmed
}

/** The problem of a text as the content of a file; null: none, or it is empty. */
export function problemOfFile(field: FileField, value: string): string | null {
  if (value.trim() === '') return null
  try {
    const parsed: unknown = JSON.parse(value)
    if (field === 'assetLinks') return Array.isArray(parsed) ? null : text.domains.notArray
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? null : text.domains.notObject
  } catch (error) {
    return text.domains.notJson(error instanceof Error ? error.message : String(error))
  }
}
