import type { Schemas } from '../api/client.ts'
import { splitList } from '../kit/lists.ts'
import { withScheme } from '../kit/url.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'

type Conditions = Schemas['LinkConditions']
export const CONDITION_FIELDS = [
  'country',
  'device',
  'os',
  'language',
  'browser',
  'continent',
  'region',
  'query',
  'from',
  'to',
] as const satisfies readonly (keyof Conditions)[]
export type ConditionField = (typeof CONDITION_FIELDS)[number]

/** The conditions of a rule that the user has added, each as the text of its field. */
export type ConditionsDraft = { [F in ConditionField]?: string }
export type RuleDraft = {
  /** Tells rules apart in the form; the server gives a new rule its id. */
  key: string
  id: string | null
  name: string
  enabled: boolean
  conditions: ConditionsDraft
  destinationUrl: string
}
export type VariantDraft = {
  key: string
  id: string | null
  name: string
  destinationUrl: string
  weight: string
}

export function emptyRule(): RuleDraft {
  return {
    key: crypto.randomUUID(),
    id: null,
    name: '',
    enabled: true,
    conditions: { country: '' },
    destinationUrl: '',
  }
}

export function emptyVariant(weight: string, destinationUrl = ''): VariantDraft {
  return { key: crypto.randomUUID(), id: null, name: '', destinationUrl, weight }
}

export function ruleDraftOf({ id, conditions, ...rule }: Schemas['LinkRule']): RuleDraft {
  const fields = CONDITION_FIELDS.flatMap((field) => {
    const value = conditions[field]
    return value === undefined ? [] : [[field, toText(value, field)]]
  })
  return { ...rule, key: id, id, conditions: Object.fromEntries(fields) as ConditionsDraft }
}

export function variantDraftOf({ id, weight, ...variant }: Schemas['LinkVariant']): VariantDraft {
  return { ...variant, key: id, id, weight: String(weight) }
}

export function toRule({
  id,
  name,
  enabled,
  conditions,
  destinationUrl,
}: RuleDraft): Schemas['NewLinkRule'] {
  return {
    ...(id === null ? {} : { id }),
    name: name.trim(),
    enabled,
    conditions: toConditions(conditions),
    destinationUrl: withScheme(destinationUrl),
  }
}

export function toVariant({
  id,
  name,
  destinationUrl,
  weight,
}: VariantDraft): Schemas['NewLinkVariant'] {
  return {
    ...(id === null ? {} : { id }),
    name: name.trim(),
    destinationUrl: withScheme(destinationUrl),
    weight: Number(weight),
  }
}

function toConditions(draft: ConditionsDraft): Conditions {
  const entries = Object.entries(draft).map(([field, value]) => {
    if (field === 'from' || field === 'to') return [field, fromLocalTime(value)]
    return [field, field === 'query' ? toParameters(value) : splitList(value)]
  })
  return Object.fromEntries(entries) as Conditions
}

function toText(value: NonNullable<Conditions[ConditionField]>, field: ConditionField): string {
  if (typeof value === 'string') return toLocalTime(value)
  if (field !== 'query') return (value as string[]).join(', ')
  return Object.entries(value as Record<string, string | null>)
    .map(([name, wanted]) =>
      wanted === null
        ? encodeURIComponent(name)
        : `${encodeURIComponent(name)}=${encodeURIComponent(wanted)}`,
    )
    .join('&')
}

/** `source=app&ref` wants `source` to be `app`, and `ref` to be there. */
function toParameters(value: string): Record<string, string | null> {
  const parts = value.trim().replace(/^\?/, '').split('&').filter(Boolean)
  return Object.fromEntries(
    parts.map((part) => {
      const [[name = '', wanted = ''] = []] = new URLSearchParams(part)
      return [name, part.includes('=') ? wanted : null]
    }),
  )
}

/** The sum of the weights; they must make 100. */
export function sumOf(variants: readonly VariantDraft[]): number {
  return variants.reduce((sum, { weight }) => sum + (Number(weight) || 0), 0)
}

/** Equal shares of 100; the first ones get what is left over. */
export function evenOut(variants: readonly VariantDraft[]): VariantDraft[] {
  const share = Math.floor(100 / variants.length)
  const left = 100 - share * variants.length
  return variants.map((variant, index) => ({
    ...variant,
    weight: String(share + (index < left ? 1 : 0)),
  }))
}
