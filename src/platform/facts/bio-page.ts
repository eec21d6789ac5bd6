import type { PageTheme } from './page-theme.ts'

export const BLOCK_TYPES = ['link', 'header', 'text', 'image', 'social', 'embed'] as const
export type BlockType = (typeof BLOCK_TYPES)[number]

/** Places that pages link to with a sign of their own; `website` is any other one. */
export const PLATFORMS = [
  ...(['instagram', 'tiktok', 'youtube', 'x', 'facebook', 'threads', 'bluesky'] as const),
  ...(['mastodon', 'linkedin', 'github', 'twitch', 'discord', 'spotify'] as const),
  ...(['soundcloud', 'pinterest', 'snapchat', 'whatsapp', 'telegram', 'signal'] as const),
  ...(['email', 'phone', 'website'] as const),
] as const
export type Platform = (typeof PLATFORMS)[number]

/** A block of a page as it is stored; what its type does not have is null. */
export type PageBlock = {
  id: string
  type: BlockType
  /** Of an image its alternative text; a text may have several lines. */
  title: string | null
  /** Null for a block of the type `link`, which leads to its link. */
  url: string | null
  linkId: string | null
  mediaId: string | null
  /** Of a social block its platform; of a link an emoji. */
  icon: string | null
  enabled: boolean
  /** ISO 8601 in UTC. */
  startsAt: string | null
  endsAt: string | null
}

export type PageSocial = { platform: Platform; url: string }

export type PageSeo = {
  /** Null: those of the page. */
  title: string | null
  description: string | null
  imageMediaId: string | null
  noindex: boolean
}

/** Content of a page. */
export type PageContent = {
  title: string
  description: string | null
  avatarMediaId: string | null
  theme: PageTheme
  blocks: readonly PageBlock[]
  socials: readonly PageSocial[]
  seo: PageSeo
}

/** A link that a page shows, as the databases have it. */
export type ShownLink = {
  id: string
  slug: string
  /** Null: the shared host. */
  hostname: string | null
  status: string
  startsAt: string | null
  expiresAt: string | Date | null
  /** It has served `maxClicks` redirects. */
  isUsedUp: boolean
}

/** Whether a link leads to its destination; a page leaves the others out. */
export function isOpen(
  { status, startsAt, expiresAt, isUsedUp }: ShownLink,
  nowMs: number,
): boolean {
  if (isUsedUp || (status !== 'active' && status !== 'archived')) return false
  if (startsAt !== null && nowMs < Date.parse(startsAt)) return false
  return expiresAt === null || nowMs < new Date(expiresAt).getTime()
}

/** When the first of these links begins or ceases to be open because of its times; Infinity: never. */
export function nextTurnOf(links: readonly ShownLink[], nowMs: number): number {
  const times = links
    .flatMap(({ startsAt, expiresAt }) => [startsAt, expiresAt])
    .flatMap((time) => (time === null ? [] : [new Date(time).getTime()]))
  return Math.min(Infinity, ...times.filter((timeMs) => timeMs > nowMs))
}

/**
 * The URLs to which a page leads without a short link, with the paths of their fields. A block of the type `link` has one
 * only until its link is written, with which it is checked.
 */
export function listPageTargets({
  blocks = [],
  socials = [],
}: Partial<Pick<PageContent, 'blocks' | 'socials'>>): { path: string; url: string }[] {
  return [
    ...blocks.flatMap(({ type, url }, i) =>
      url === null || type === 'link' ? [] : [{ path: `blocks.${i}.url`, url }],
    ),
    ...socials.map(({ url }, i) => ({ path: `socials.${i}.url`, url })),
  ]
}

/**
 * The slug of the address that a page always has: `p/<slug>`. On a branded host it has its bare slug as well, which is
 * its canonical one there.
 */
export function toPageSlug(slug: string): string {
  return `p/${slug}`
}
