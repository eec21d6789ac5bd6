import { invalid } from '../../platform/core/errors.ts'
import type { Link } from '../../links/link/schema.ts'
import { rename, toName, toObject, type Fields } from '../fields.ts'
import { refuse, refuseOthers, same, toList } from './fields.ts'

export const PREFIX = '/compat/dub'

const SAME = {
  url: 'destinationUrl',
  domain: 'domain',
  key: 'slug',
  externalId: 'externalId',
  folderId: 'folderId',
  expiresAt: 'expiresAt',
  expiredUrl: 'expiredUrl',
  password: 'password',
  trackConversion: 'trackConversions',
  ios: 'iosDeepLink',
  android: 'androidDeepLink',
  utm_source: 'utmSource',
  utm_medium: 'utmMedium',
  utm_campaign: 'utmCampaign',
  utm_term: 'utmTerm',
  utm_content: 'utmContent',
  testCompletedAt: 'variantsUntil',
} as const satisfies Record<string, keyof Link>
type Same = { [Name in keyof typeof SAME]: Link[(typeof SAME)[Name]] }
export const THEIR_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(SAME).map(([theirs, ours]) => [ours, theirs]),
)

const UNSUPPORTED = 'programId partnerId rewrite publicStats ref video prefix webhookIds'.split(' ')
/** Kept in `metadata`, since nothing here depends on them. */
const NOTES = ['comments', 'tenantId'] as const
/** Clocks differ. */
const START_MS = 60_000

/** A tag has no id here, so that its name is one, and no color. */
export const toTag = (name: string) => ({ id: name, name, color: 'gray' })

export function fromNew(body: unknown): Fields {
  const { title, url } = toObject(body)
  return { ...fromDub(body, null), name: toName(title, url) }
}

/** @param before the link that is changed; null for a new one, or for many */
export function fromDub(body: unknown, before: Link | null): Fields {
  const fields = toObject(body)
  const { archived, doIndex, title, geo, testVariants } = fields
  refuse(fields, ...UNSUPPORTED)
  refuseOthers('string', fields, 'title', 'url', 'comments', 'tenantId', 'testStartedAt')
  refuseOthers('boolean', fields, 'archived', 'doIndex', 'proxy')
  if (Date.parse(String(fields['testStartedAt'])) > Date.now() + START_MS)
    throw invalid('testStartedAt', 'testStartedAt must not be in the future.')
  const [tags] = ['tagNames', 'tagIds', 'tagId'].filter((name) => fields[name] !== undefined)
  const notes = NOTES.filter((name) => fields[name] !== undefined)
  return {
    ...rename(fields, SAME),
    ...(title !== undefined && { name: toName(title, fields['url'] ?? before?.destinationUrl) }),
    ...(tags !== undefined && { tags: toList(tags, fields[tags]) }),
    ...(archived === true && { status: 'archived' }),
    // A paused link stays paused.
    ...(archived === false && before?.status !== 'paused' && { status: 'active' }),
    ...(doIndex !== undefined && { noindex: doIndex === false }),
    ...toCard(fields, before?.card ?? null),
    ...(geo !== undefined && { rules: toRules(toObject(geo ?? {}, 'geo'), before?.rules ?? []) }),
    ...(testVariants !== undefined && { variants: toVariants(testVariants ?? []) }),
    ...(notes.length > 0 && {
      metadata: { ...before?.metadata, ...rename(fields, same(...NOTES)) },
    }),
  }
}

/** Dub shows title, description and image in previews only with `proxy`. */
function toCard(fields: Fields, before: Link['card']): Fields {
  const { proxy = before !== null } = fields
  if (proxy !== true) return before === null ? {} : { card: null }
  return { card: { ...before, ...rename(fields, same('title', 'description', 'image')) } }
}

/** Countries with one target are one rule; rules by anything else stay. */
function toRules(geo: Fields, before: Link['rules']): unknown[] {
  const byTarget = Map.groupBy(Object.entries(geo), ([, url]) => url)
  const rules = [...byTarget].map(([destinationUrl, entries]) => {
    const country = entries.map(([code]) => code)
    return { name: toName(country.join(', '), ''), conditions: { country }, destinationUrl }
  })
  return [...rules, ...before.filter((rule) => !isByCountry(rule))]
}

function isByCountry({ conditions }: Link['rules'][number]): boolean {
  return Object.keys(conditions).join() === 'country'
}

function toVariants(tests: unknown): unknown[] {
  if (!Array.isArray(tests)) throw invalid('testVariants', 'testVariants must be a list.')
  return tests.map((test) =>
    rename(toObject(test, 'A variant'), { url: 'destinationUrl', percentage: 'weight' }),
  )
}

/** What has no counterpart here. */
const NOTHING = {
  ...{ programId: null, partnerId: null, video: null, testStartedAt: null, webhookIds: [] },
  ...{ rewrite: false, publicStats: false, leads: 0, conversions: 0, sales: 0, saleAmount: 0 },
}

/** @param origin of the server */
export function toDub(link: Link, origin: string) {
  const { id, workspaceId, card, tags, rules, variants, metadata, createdAt, updatedAt } = link
  const geo = rules
    .filter(isByCountry)
    .flatMap(({ conditions: { country = [] }, destinationUrl }) =>
      country.map((code) => [code, destinationUrl]),
    )
  const tests = variants.map(({ destinationUrl: url, weight: percentage }) => ({ url, percentage }))
  const notes = NOTES.map((name) => [name, metadata?.[name] ?? null])
  return {
    id,
    ...(rename(link, THEIR_NAMES) as Same),
    ...NOTHING,
    ...(Object.fromEntries(notes) as Record<(typeof NOTES)[number], unknown>),
    shortLink: link.shortUrl,
    qrCode: `${origin}${PREFIX}/qr?url=${encodeURIComponent(link.shortUrl)}`,
    archived: link.status === 'archived',
    disabledAt: link.status === 'paused' ? updatedAt : null,
    proxy: card !== null,
    title: card?.title ?? link.name,
    description: card?.description ?? null,
    image: card?.image ?? null,
    doIndex: !link.noindex,
    geo: geo.length === 0 ? null : Object.fromEntries(geo),
    testVariants: tests.length === 0 ? null : tests,
    tags: tags.map(toTag),
    tagId: tags[0] ?? null,
    userId: link.createdBy,
    workspaceId,
    projectId: workspaceId,
    clicks: link.clicks,
    lastClicked: link.lastClickedAt,
    createdAt,
    updatedAt,
  }
}
