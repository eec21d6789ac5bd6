import type { Schemas } from '../api/client.ts'
import { isSame } from '../api/conflict.ts'
import { splitList } from '../kit/lists.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { withScheme } from '../kit/url.ts'
import { toParameter, UTM_FIELDS, utmDraftOf, type UtmDraft } from '../kit/utm-fields.tsx'
import { text } from '../text/link-page.ts'
import {
  ruleDraftOf,
  toRule,
  toVariant,
  variantDraftOf,
  type RuleDraft,
  type VariantDraft,
} from './option-drafts.ts'

/** A link as its form holds it: a field is a text, empty for none. */
export type LinkDraft = UtmDraft & {
  destinationUrl: string
  slug: string
  /** Host of the short URL; empty for a new link on the default one. */
  domain: string
  name: string
  tags: string
  folderId: string
  campaignId: string
  password: string
  expiresAt: string
  startsAt: string
  expiredUrl: string
  maxClicks: string
  redirectType: string
  iosDeepLink: string
  androidDeepLink: string
  forwardQuery: boolean
  noindex: boolean
  trackConversions: boolean
  aliases: string
  externalId: string
  /** JSON. */
  metadata: string
  cardTitle: string
  cardDescription: string
  cardImage: string
  rules: readonly RuleDraft[]
  variants: readonly VariantDraft[]
  variantsUntil: string
}

export const EMPTY_DRAFT: LinkDraft = {
  destinationUrl: '',
  slug: '',
  domain: '',
  name: '',
  tags: '',
  folderId: '',
  campaignId: '',
  password: '',
  expiresAt: '',
  startsAt: '',
  expiredUrl: '',
  maxClicks: '',
  redirectType: '302',
  iosDeepLink: '',
  androidDeepLink: '',
  // As the server has it for a link that does not say.
  forwardQuery: true,
  noindex: false,
  trackConversions: false,
  aliases: '',
  externalId: '',
  metadata: '',
  cardTitle: '',
  cardDescription: '',
  cardImage: '',
  rules: [],
  variants: [],
  variantsUntil: '',
  ...utmDraftOf(null),
}

/** A link in the fields of its form. The password is unknown to everyone but its visitors. */
export function draftOf(link: Schemas['Link']): LinkDraft {
  return {
    destinationUrl: link.destinationUrl,
    slug: link.slug,
    domain: link.domain,
    name: link.name,
    tags: link.tags.join(', '),
    folderId: link.folderId ?? '',
    campaignId: link.campaignId ?? '',
    password: '',
    expiresAt: toLocalTime(link.expiresAt),
    startsAt: toLocalTime(link.startsAt),
    expiredUrl: link.expiredUrl ?? '',
    maxClicks: link.maxClicks === null ? '' : String(link.maxClicks),
    redirectType: String(link.redirectType),
    iosDeepLink: link.iosDeepLink ?? '',
    androidDeepLink: link.androidDeepLink ?? '',
    forwardQuery: link.forwardQuery,
    noindex: link.noindex,
    trackConversions: link.trackConversions,
    aliases: link.aliases.join(', '),
    externalId: link.externalId ?? '',
    metadata: link.metadata === null ? '' : JSON.stringify(link.metadata, null, 2),
    cardTitle: link.card?.title ?? '',
    cardDescription: link.card?.description ?? '',
    cardImage: link.card?.image ?? '',
    rules: link.rules.map(ruleDraftOf),
    variants: link.variants.map(variantDraftOf),
    variantsUntil: toLocalTime(link.variantsUntil),
    ...utmDraftOf(link),
  }
}

type Body = Schemas['CreateLink'] & Schemas['UpdateLink']
const CARD_FIELDS = ['cardTitle', 'cardDescription', 'cardImage'] as const
const TIMES: readonly (keyof LinkDraft)[] = ['expiresAt', 'startsAt', 'variantsUntil']

/**
 * The fields of a draft that differ from `before`, as the API takes them.
 * @throws SyntaxError `metadata` is no JSON
 */
export function toBody(draft: LinkDraft, before: LinkDraft): Partial<Body> {
  const body: Record<string, unknown> = {}
  const isChanged = (key: keyof LinkDraft) => !isSame(draft[key], before[key])
  for (const key of Object.keys(draft) as (keyof LinkDraft)[]) {
    if (!isChanged(key) || (CARD_FIELDS as readonly string[]).includes(key)) continue
    body[key] = toValue(key, draft)
  }
  if (CARD_FIELDS.some(isChanged)) body.card = toCard(draft)
  return body as Partial<Body>
}

function toValue(key: keyof LinkDraft, draft: LinkDraft): unknown {
  if (key === 'rules') return draft.rules.map(toRule)
  if (key === 'variants') return draft.variants.map(toVariant)
  const value = draft[key]
  if (typeof value !== 'string') return value
  const trimmed = value.trim()
  if (key === 'tags' || key === 'aliases') return splitList(trimmed)
  if (trimmed === '') return null
  if (key === 'maxClicks' || key === 'redirectType') return Number(trimmed)
  if (key === 'metadata') return JSON.parse(trimmed) as unknown
  if (TIMES.includes(key)) return fromLocalTime(trimmed)
  if (key === 'destinationUrl' || key === 'expiredUrl') return withScheme(trimmed)
  return key === 'password' ? value : trimmed
}

function toCard(draft: LinkDraft): Schemas['NewLinkCard'] | null {
  const [title = null, description = null, image = null] = CARD_FIELDS.map(
    (field) => draft[field].trim() || null,
  )
  return title || description || image ? { title, description, image } : null
}

/** The problem of a text as a JSON object; null: it is one, or empty. */
export function problemOfMetadata(value: string): string | null {
  if (value.trim() === '') return null
  try {
    const parsed: unknown = JSON.parse(value)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? null : text.linkOptions.metadataNotObject
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** The destination with the UTM values of the draft, as visitors get it. */
export function withUtm(draft: LinkDraft): string {
  try {
    const url = new URL(draft.destinationUrl.trim())
    for (const field of UTM_FIELDS)
      if (draft[field].trim()) url.searchParams.set(toParameter(field), draft[field].trim())
    return url.href
  } catch {
    return draft.destinationUrl
  }
}

/** The UTM parameters of the destination itself, and the destination without them; null: it has none. */
export function readUtm(destinationUrl: string): Partial<LinkDraft> | null {
  try {
    const url = new URL(destinationUrl.trim())
    const found: Partial<LinkDraft> = {}
    for (const field of UTM_FIELDS) {
      const value = url.searchParams.get(toParameter(field))
      if (value === null) continue
      found[field] = value
      url.searchParams.delete(toParameter(field))
    }
    return Object.keys(found).length > 0 ? { ...found, destinationUrl: url.href } : null
  } catch {
    return null
  }
}
