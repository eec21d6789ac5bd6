import type { PageTheme } from './page-theme.ts'

export const BLOCK_TYPES = ['link', 'header', 'text', 'image', 'social', 'embed'] as const
export type BlockType = (typeof BLOCK_TYPES)[number]

export const PLATFORMS = [
  ...(['instagram', 'tiktok', 'youtube', 'x', 'facebook', 'threads', 'bluesky'] as const),
  ...(['mastodon', 'linkedin', 'github', 'twitch', 'discord', 'spotify'] as const),
  ...(['soundcloud', 'pinterest', 'snapchat', 'whatsapp', 'telegram', 'signal'] as const),
  ...(['email', 'phone', 'website'] as const),
] as const
export type Platform = (typeof PLATFORMS)[number]

export type PageBlock = {
  id: string
  type: BlockType
  title: string | null
  url: string | null
  linkId: string | null
  mediaId: string | null
  icon: string | null
  enabled: boolean
  startsAt: string | null
  endsAt: string | null
}

export type PageSocial = { platform: Platform; url: string }

export type PageSeo = {
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
  hostname: string | null
  status: string
  startsAt: string | null
  expiresAt: string | Date | null
  isUsedUp: boolean
}

export function isOpen(
  { status, startsAt, expiresAt, isUsedUp }: ShownLink,
  nowMs: number,
): boolean {
  if (isUsedUp || (status !== 'active' && status !== 'archived')) return false
  if (startsAt !== null && nowMs < Date.parse(startsAt)) return false
  return expiresAt === null || nowMs < new Date(expiresAt).getTime()
}

export function nextTurnOf(links: readonly ShownLink[], nowMs: number): number {
  const times = links
    .flatMap(({ startsAt, expiresAt }) => [startsAt, expiresAt])
    .flatMap((time) => (time === null ? [] : [new Date(time).getTime()]))
  return Math.min(Infinity, ...times.filter((timeMs) => timeMs > nowMs))
}

/** A block of type `link` has a URL only until its link is written, which checks it. */
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
  sharedOrigin: string
  isShared: boolean
  nowMs: number
}

export type PagePreview = { style: string; root: PageElement }
