import type { Schemas } from '../api/client.ts'

export const UTM_FIELDS = [
  'utmSource',
  'utmMedium',
  'utmCampaign',
  'utmTerm',
  'utmContent',
] as const
export type UtmField = (typeof UTM_FIELDS)[number]

/** A link as its form holds it: every field is a text, empty for none. */
export type LinkDraft = Record<UtmField, string> & {
  destinationUrl: string
  slug: string
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
  aliases: string
}

export const EMPTY_DRAFT: LinkDraft = {
  destinationUrl: '',
  slug: '',
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
  forwardQuery: false,
  noindex: false,
  aliases: '',
  utmSource: '',
  utmMedium: '',
  utmCampaign: '',
  utmTerm: '',
  utmContent: '',
}

/** A link in the fields of its form. The password is unknown to everyone but its visitors. */
export function draftOf(link: Schemas['Link']): LinkDraft {
  return {
    destinationUrl: link.destinationUrl,
    slug: link.slug,
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
    aliases: link.aliases.join(', '),
    ...Object.fromEntries(UTM_FIELDS.map((field) => [field, link[field] ?? ''])),
  } as LinkDraft
}

type Body = Schemas['CreateLink'] & Schemas['UpdateLink']

/** The fields of a draft that differ from `before`, as the API takes them. */
export function toBody(draft: LinkDraft, before: LinkDraft): Partial<Body> {
  const body: Record<string, unknown> = {}
  for (const key of Object.keys(draft) as (keyof LinkDraft)[])
    if (draft[key] !== before[key]) body[key] = toValue(key, draft[key])
  return body as Partial<Body>
}

function toValue(key: keyof LinkDraft, value: string | boolean): unknown {
  if (typeof value === 'boolean') return value
  const trimmed = value.trim()
  if (key === 'tags' || key === 'aliases')
    return trimmed === ''
      ? []
      : trimmed
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean)
  if (trimmed === '') return null
  if (key === 'maxClicks' || key === 'redirectType') return Number(trimmed)
  if (key === 'expiresAt' || key === 'startsAt') return new Date(trimmed).toISOString()
  return key === 'password' ? value : trimmed
}

/** A time as `<input type=datetime-local>` takes it, in the zone of the browser. */
function toLocalTime(iso: string | null): string {
  if (iso === null) return ''
  const at = new Date(iso)
  const shifted = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return shifted.toISOString().slice(0, 16)
}

/** The name of a link without one: its host and path. */
export function nameFor(destinationUrl: string): string {
  try {
    const { hostname, pathname } = new URL(destinationUrl)
    return (hostname + (pathname === '/' ? '' : pathname)).slice(0, 100)
  } catch {
    return destinationUrl.slice(0, 100)
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

/** `utmSource` is `utm_source` in an address. */
function toParameter(field: UtmField): string {
  return `utm_${field.slice(3).toLowerCase()}`
}

const KEPT_MS = 7 * 86_400_000

type KeptDraft = { draft: LinkDraft; keptAt: number }

const keyOf = (workspaceId: string, linkId: string) => `signpost.draft.${workspaceId}.${linkId}`

/** The draft that this browser kept for at most seven days; passwords are never kept. */
export function readKeptDraft(workspaceId: string, linkId: string): KeptDraft | null {
  const stored = localStorage.getItem(keyOf(workspaceId, linkId))
  if (stored === null) return null
  try {
    const { draft, keptAt } = JSON.parse(stored) as KeptDraft
    if (Date.now() - keptAt < KEPT_MS) return { draft: { ...EMPTY_DRAFT, ...draft }, keptAt }
  } catch {
    // Not of this version: dropped below.
  }
  localStorage.removeItem(keyOf(workspaceId, linkId))
  return null
}

export function keepDraft(workspaceId: string, linkId: string, draft: LinkDraft): void {
  const kept: KeptDraft = { draft: { ...draft, password: '' }, keptAt: Date.now() }
  localStorage.setItem(keyOf(workspaceId, linkId), JSON.stringify(kept))
}

export function dropDraft(workspaceId: string, linkId: string): void {
  localStorage.removeItem(keyOf(workspaceId, linkId))
}
