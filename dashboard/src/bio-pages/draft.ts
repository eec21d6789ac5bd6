import type { Schemas } from '../api/client.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import type { BioPage, BlockType } from './queries.ts'

/** A block as its fields show it; `key` stays while the block moves. */
export type BlockDraft = {
  key: string
  id: string | null
  type: BlockType
  title: string
  url: string
  icon: string
  linkId: string | null
  /** Its URL is that of a link which the page did not create. */
  isForeignLink: boolean
  mediaId: string | null
  enabled: boolean
  startsAt: string
  endsAt: string
}

export type Theme = Pick<BioPage['theme'], 'preset' | 'font'> &
  Record<'background' | 'text' | 'accent', string>

export type Draft = {
  /** Null: the shared host. */
  domainId: string | null
  slug: string
  isRoot: boolean
  title: string
  description: string
  avatarMediaId: string | null
  theme: Theme
  blocks: readonly BlockDraft[]
  socials: readonly SocialDraft[]
  seoTitle: string
  seoDescription: string
  seoImageId: string | null
  noindex: boolean
}

export type SocialDraft = { key: string } & BioPage['socials'][number]

export function draftOf(page: BioPage): Draft {
  const { title, description, avatarMediaId, theme, blocks, socials, seo } = page
  return {
    domainId: page.domainId,
    slug: page.slug,
    isRoot: page.isRoot,
    title,
    description: description ?? '',
    avatarMediaId,
    theme: {
      preset: theme.preset,
      font: theme.font,
      background: theme.background ?? '',
      text: theme.text ?? '',
      accent: theme.accent ?? '',
    },
    blocks: blocks.map((block) => ({
      key: block.id,
      id: block.id,
      type: block.type,
      title: block.title ?? '',
      url: block.url ?? '',
      icon: block.icon ?? '',
      linkId: block.linkId,
      isForeignLink: block.linkId !== null && !block.ownsLink,
      mediaId: block.mediaId,
      enabled: block.enabled,
      startsAt: toLocalTime(block.startsAt),
      endsAt: toLocalTime(block.endsAt),
    })),
    socials: socials.map((social, at) => ({ ...social, key: `social-${at}` })),
    seoTitle: seo.title ?? '',
    seoDescription: seo.description ?? '',
    seoImageId: seo.imageMediaId,
    noindex: seo.noindex,
  }
}

export function newBlock(type: BlockType): BlockDraft {
  const none = { id: null, title: '', url: '', linkId: null, isForeignLink: false, mediaId: null }
  const icon = type === 'social' ? 'instagram' : ''
  return { ...none, key: crypto.randomUUID(), type, icon, enabled: true, startsAt: '', endsAt: '' }
}

export function newSocial(): SocialDraft {
  return { key: crypto.randomUUID(), platform: 'instagram', url: '' }
}

/** All fields of the editor; the API leaves alone what is the same. */
export function toBody(draft: Draft): Schemas['UpdateBioPage'] {
  const { title, description, avatarMediaId, theme, blocks, socials } = draft
  return {
    domainId: draft.domainId,
    slug: draft.slug,
    isRoot: draft.isRoot,
    title,
    description: description || null,
    avatarMediaId,
    theme: {
      preset: theme.preset,
      font: theme.font,
      background: theme.background || null,
      text: theme.text || null,
      accent: theme.accent || null,
    },
    blocks: blocks.map((block) => ({
      id: block.id,
      type: block.type,
      title: block.title || null,
      url: block.isForeignLink ? null : block.url || null,
      linkId: block.linkId,
      icon: block.icon || null,
      mediaId: block.mediaId,
      enabled: block.enabled,
      startsAt: fromLocalTime(block.startsAt),
      endsAt: fromLocalTime(block.endsAt),
    })),
    socials: socials.map(({ platform, url }) => ({ platform, url })),
    seo: {
      title: draft.seoTitle || null,
      description: draft.seoDescription || null,
      imageMediaId: draft.seoImageId,
      noindex: draft.noindex,
    },
  }
}
