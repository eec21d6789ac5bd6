import { MAX_UTM_CHARS } from '../decision/utm.ts'
import { nullable, text } from '../platform/resources/shapes.ts'

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

/** @param describe says what the parameter is used for */
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

/** Trims UTM fields; an empty one becomes null. */
export function toUtmColumns(input: UtmInput): { [name in UtmField]?: string | null } {
  return Object.fromEntries(
    UTM_FIELDS.flatMap((name) => {
      const value = input[name]
      return value === undefined ? [] : [[name, value?.trim() || null]]
    }),
  )
}
