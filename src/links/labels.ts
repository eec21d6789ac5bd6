import { MAX_UTM_CHARS } from '../decision/link.ts'
import { nullable, text } from '../platform/resources/shapes.ts'
import { invalid } from '../platform/core/errors.ts'
import { checkName } from '../platform/resources/field-checks.ts'

export const UTM_FIELDS = [
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
] as const
export type UtmField = (typeof UTM_FIELDS)[number]
export type Utm = Readonly<Record<UtmField, string | null>>

export const NO_UTM: Utm = {
  utmSource: null,
  utmMedium: null,
  utmCampaign: null,
  utmTerm: null,
  utmContent: null,
}

const EXAMPLES: Readonly<Record<UtmField, readonly [parameter: string, example: string]>> = {
  utmSource: ['utm_source', 'newsletter'],
  utmMedium: ['utm_medium', 'email'],
  utmCampaign: ['utm_campaign', 'spring'],
  utmTerm: ['utm_term', 'shoes'],
  utmContent: ['utm_content', 'button'],
}

export function utmShapes(describe: (parameter: string) => string) {
  const toShape = (field: UtmField) => {
    const [parameter, example] = EXAMPLES[field]
    return nullable(text(describe(parameter), example, { maxLength: MAX_UTM_CHARS }))
  }
  return {
    utmSource: toShape('utmSource'),
    utmMedium: toShape('utmMedium'),
    utmCampaign: toShape('utmCampaign'),
    utmTerm: toShape('utmTerm'),
    utmContent: toShape('utmContent'),
  }
}

type UtmInput = { readonly [name in UtmField]?: string | null | undefined }

export function toUtmColumns(input: UtmInput): { [name in UtmField]?: string | null } {
  return Object.fromEntries(
    UTM_FIELDS.flatMap((name) => {
      const value = input[name]
      return value === undefined ? [] : [[name, value?.trim() || null]]
    }),
  )
}

export const MAX_TAGS = 50
export const TAG_MAX_CHARS = 50

/** Clients remove these path segments, so no request could name such a tag. */
const UNREACHABLE = new Set(['.', '..'])

export function checkTags(input: readonly string[] | null): string[] | null {
  const tags = (input ?? []).map((tag, i) => toTag(tag, `tags.${i}`))
  return tags.length === 0 ? null : [...new Set(tags)]
}

/** A tag has no comma, which separates tags in queries and CSV. */
export function toTag(input: string, path: string): string {
  const tag = checkName(input.normalize('NFC'), path, TAG_MAX_CHARS)
  if (tag.includes(',')) throw invalid(path, `${path} must not contain a comma.`)
  if (UNREACHABLE.has(tag)) throw invalid(path, `${path} must not be "." or "..".`)
  return tag
}
