import type { PageTheme } from './page-theme.ts'

export const BLOCK_TYPES = ['link', 'header', 'text', 'image', 'social', 'embed'] as const
export type BlockType = (typeof BLOCK_TYPES)[number]

/** Sites with an icon of their own; `website` is any other. */
export const PLATFORMS = [
  ...(['instagram', 'tiktok', 'youtube', 'x', 'facebook', 'threads', 'bluesky'] as const),
  ...(['mastodon', 'linkedin', 'github', 'twitch', 'discord', 'spotify'] as const),
  ...(['soundcloud', 'pinterest', 'snapchat', 'whatsapp', 'telegram', 'signal'] as const),
  ...(['email', 'phone', 'website'] as const),
] as const
export type Platform = (typeof PLATFORMS)[number]

/** A stored block; what its type does not have is null. */
export type PageBlock = {
  id: string
  type: BlockType
  /** The alternative text of an image. */
  title: string | null
  /** Null for a block of type `link`, which leads to its link. */
  url: string | null
  linkId: string | null
  mediaId: string | null
  /** The platform of a social block; the emoji of a link. */
  icon: string | null
  enabled: boolean
  startsAt: string | null
  endsAt: string | null
}

export type PageSocial = { platform: Platform; url: string }

export type PageSeo = {
  /** Null for the page's own. */
  title: string | null
  description: string | null
  imageMediaId: string | null
  noindex: boolean
}

export type PageContent = {
  title: string
  description: string | null
  avatarMediaId: string | null
  theme: PageTheme
  blocks: readonly PageBlock[]
  socials: readonly PageSocial[]
  seo: PageSeo
}

export type ShownLink = {
  id: string
  slug: string
  /** Null for the shared host. */
  hostname: string | null
  status: string
  startsAt: string | null
  expiresAt: string | Date | null
  /** After `maxClicks` redirects. */
  isUsedUp: boolean
}

/** Pages leave out links that do not lead to their destination. */
export function isOpen(
  { status, startsAt, expiresAt, isUsedUp }: ShownLink,
  nowMs: number,
): boolean {
  if (isUsedUp || (status !== 'active' && status !== 'archived')) return false
  if (startsAt !== null && nowMs < Date.parse(startsAt)) return false
  return expiresAt === null || nowMs < new Date(expiresAt).getTime()
}

/** When the next of these links starts or expires; Infinity for never. */
export function nextTurnOf(links: readonly ShownLink[], nowMs: number): number {
  const times = links
    .flatMap(({ startsAt, expiresAt }) => [startsAt, expiresAt])
    .flatMap((time) => (time === null ? [] : [new Date(time).getTime()]))
  return Math.min(Infinity, ...times.filter((timeMs) => timeMs > nowMs))
}

/**
 * The URLs that a page links to directly, with the paths of their fields. A block of type `link` has a URL only until its
 * link is written, which checks it.
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

/** Each page has the address `p/<slug>`. On a branded host it also has its bare slug, which is canonical there. */
export function toPageSlug(slug: string): string {
  return `p/${slug}`
}

/** The writer escapes texts and attribute values. */
export type PageElement = {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: readonly PageNode[]
}
export type PageNode = PageElement | string

export type PageView = {
  content: PageContent
  /** Short URLs by link id, relative on the page's host; deleted and blocked links are missing. */
  links: ReadonlyMap<string, string>
  images: ReadonlySet<string>
  /** The shared host, which serves the images. */
  sharedOrigin: string
  isShared: boolean
  nowMs: number
}

/** A page drawn inside another document, in a shadow root with its own style sheet. */
export type PagePreview = { style: string; root: PageElement }
