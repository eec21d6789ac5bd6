import { invalid, itHas, type ApiError } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import {
  PLATFORMS,
  type PageBlock,
  type PageContent,
  type PageSeo,
  type PageSocial,
} from '../../platform/facts/bio-page.ts'
import {
  leastContrast,
  MIN_CONTRAST,
  toLook,
  type PageTheme,
} from '../../platform/facts/page-theme.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import {
  BLOCK_TITLE_MAX_CHARS,
  DESCRIPTION_MAX_CHARS,
  TEXT_MAX_CHARS,
  TITLE_MAX_CHARS,
  type BioPage,
  type BlockInput,
  type UpdateBioPage,
} from './schema.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { checkDestination } from '../../links/link/destination.ts'

const BLOCK_ID = /^blk_[0-9A-HJKMNP-TV-Z]{26}$/
/** Bytes as JSON; bounds the size of a list of pages. */
const BLOCKS_MAX_CHARS = 100_000

/** Ids are checked by `checkReferences`. */
export function checkContent(
  input: UpdateBioPage,
  nowMs: number,
): Partial<PageContent> & { status?: BioPage['status'] } {
  return {
    ...(input.title !== undefined && { title: checkName(input.title, 'title', TITLE_MAX_CHARS) }),
    ...(input.description !== undefined && {
      description: checkText(input.description, 'description', DESCRIPTION_MAX_CHARS),
    }),
    ...(input.avatarMediaId !== undefined && { avatarMediaId: input.avatarMediaId }),
    ...(input.theme !== undefined && { theme: checkTheme(input.theme) }),
    ...(input.blocks !== undefined && { blocks: checkBlocks(input.blocks, nowMs) }),
    ...(input.socials !== undefined && { socials: checkSocials(input.socials) }),
    ...(input.seo !== undefined && { seo: checkSeo(input.seo) }),
    ...(input.status !== undefined && { status: input.status }),
  }
}

function checkTheme(input: NonNullable<UpdateBioPage['theme']>): PageTheme {
  const { preset = 'plain', background = null, text = null, accent = null, font = null } = input
  const toLower = (color: string | null) => color?.toLowerCase() ?? null
  const theme = {
    preset,
    background: toLower(background),
    text: toLower(text),
    accent: toLower(accent),
    font,
  }
  const contrast = leastContrast(toLook(theme).light)
  if (contrast < MIN_CONTRAST)
    throw invalid(
      text === null ? 'theme.background' : 'theme.text',
      `The contrast of text and background is ${Math.floor(contrast * 100) / 100}:1; it must be at least ${MIN_CONTRAST}:1.`,
      'contrast',
    )
  return theme
}

function checkBlocks(input: NonNullable<UpdateBioPage['blocks']>, nowMs: number): PageBlock[] {
  const ids = new Set<string>()
  const blocks = input.map((block, i) => {
    const path = `blocks.${i}`
    const id = block.id ?? newId('blk', nowMs)
    if (!BLOCK_ID.test(id))
      throw invalid(
        `${path}.id`,
        `${path}.id must be an id from an earlier response; leave it out for a new block.`,
      )
    if (ids.has(id)) throw invalid(`${path}.id`, `${path}.id must not be the id of another block.`)
    ids.add(id)
    return { id, ...checkBlock(block, path) }
  })
  const { length } = JSON.stringify(blocks)
  if (length > BLOCKS_MAX_CHARS)
    throw invalid(
      'blocks',
      `blocks must have at most ${BLOCKS_MAX_CHARS} characters of JSON in total; they have ${length}.`,
    )
  return blocks
}

function checkSocials(input: NonNullable<UpdateBioPage['socials']>): PageSocial[] {
  return input.map(({ platform, url }, i) => ({
    platform,
    url: checkProfileUrl(url, `socials.${i}.url`),
  }))
}

function checkSeo(input: NonNullable<UpdateBioPage['seo']>): PageSeo {
  return {
    title: checkText(input.title, 'seo.title', TITLE_MAX_CHARS)?.replaceAll('\n', ' ') ?? null,
    description: checkText(input.description, 'seo.description', DESCRIPTION_MAX_CHARS),
    imageMediaId: input.imageMediaId ?? null,
    noindex: input.noindex ?? false,
  }
}

type Content = Pick<PageBlock, 'title' | 'url' | 'linkId' | 'mediaId' | 'icon'>

const EMOJI = /^\p{RGI_Emoji}$/v
const NONE: Content = { title: null, url: null, linkId: null, mediaId: null, icon: null }

/** A `link` keeps its URL until its link is written. */
function checkBlock(input: BlockInput, path: string): Omit<PageBlock, 'id'> {
  const { type, enabled = true } = input
  return { type, ...NONE, ...CONTENTS[type](input, path), enabled, ...checkSchedule(input, path) }
}

const CONTENTS: Record<BlockInput['type'], (input: BlockInput, path: string) => Partial<Content>> =
  {
    link: (input, path) => {
      const { linkId = null } = input
      if ((input.url ?? null) === null && linkId === null)
        throw invalid(`${path}.url`, `${path} must have a url or a linkId.`, 'required')
      return {
        title: requireTitle(input, path),
        url: checkOptionalUrl(input, path),
        linkId,
        icon: checkEmoji(input.icon, `${path}.icon`),
      }
    },
    header: (input, path) => ({ title: requireTitle(input, path) }),
    text: (input, path) => {
      const title = checkText(input.title, `${path}.title`, TEXT_MAX_CHARS)
      if (title === null) throw missing(`${path}.title`)
      return { title }
    },
    image: (input, path) => {
      const { mediaId = null } = input
      if (mediaId === null) throw missing(`${path}.mediaId`)
      return { title: checkTitle(input, path), url: checkOptionalUrl(input, path), mediaId }
    },
    social: (input, path) => {
      const icon = PLATFORMS.find((platform) => platform === input.icon)
      if (icon === undefined)
        throw invalid(
          `${path}.icon`,
          `${path}.icon must be one of ${PLATFORMS.join(', ')}.`,
          'enum',
        )
      return {
        title: checkTitle(input, path),
        url: checkProfileUrl(requireUrl(input, path), `${path}.url`),
        icon,
      }
    },
    embed: (input, path) => ({
      title: checkTitle(input, path),
      url: checkUrl(requireUrl(input, path), `${path}.url`),
    }),
  }

function checkTitle({ title }: BlockInput, path: string): string | null {
  return title?.trim() ? checkName(title, `${path}.title`, BLOCK_TITLE_MAX_CHARS) : null
}

function requireTitle(input: BlockInput, path: string): string {
  const title = checkTitle(input, path)
  if (title === null) throw missing(`${path}.title`)
  return title
}

function checkOptionalUrl({ url }: BlockInput, path: string): string | null {
  return url === null || url === undefined ? null : checkUrl(url, `${path}.url`)
}

function requireUrl({ url }: BlockInput, path: string): string {
  if (!url) throw missing(`${path}.url`)
  return url
}

function missing(path: string): ApiError {
  return invalid(path, `${path} is required.`, 'required')
}

function checkEmoji(icon: string | null | undefined, path: string): string | null {
  const emoji = icon?.trim()
  if (!emoji) return null
  if (!EMOJI.test(emoji) && !EMOJI.test(`${emoji}\ufe0f`))
    throw invalid(path, `${path} must be one emoji in a link block.`)
  return emoji
}

function checkSchedule({ startsAt, endsAt }: BlockInput, path: string) {
  const starts = startsAt ? toDate(startsAt, `${path}.startsAt`) : null
  const ends = endsAt ? toDate(endsAt, `${path}.endsAt`) : null
  if (starts !== null && ends !== null && starts >= ends)
    throw invalid(`${path}.endsAt`, `${path}.endsAt must be after ${path}.startsAt.`)
  return { startsAt: starts?.toISOString() ?? null, endsAt: ends?.toISOString() ?? null }
}

const MAIL = /^mailto:[^\s@<>"'\\?&]{1,64}@[a-z0-9.-]{1,253}$/i
const PHONE = /^tel:\+?[0-9](?:[0-9 ().-]{0,30}[0-9])?$/i
const OTHER_SCHEME = /^(?:mailto|tel):/i
/** Control characters except line breaks, and characters that override or isolate the direction of text. */
const CONTROL = /(?!\n)\p{Cc}|[\u202a-\u202e\u2066-\u2069]/u

/** Unlike a link, a block may lead to a link of this server. */
function checkUrl(url: string, path: string): string {
  return checkDestination(url, () => false, path)
}

function checkProfileUrl(input: string, path: string): string {
  const url = input.trim()
  if (MAIL.test(url) || PHONE.test(url)) return url
  if (OTHER_SCHEME.test(url))
    throw invalid(
      path,
      `${path} must be an address such as mailto:ana@example.com or tel:+351210000000.`,
      'invalid_url',
    )
  return checkUrl(url, path)
}

function checkText(input: string | null | undefined, path: string, maxChars: number) {
  const text = input?.replace(/\r\n?/g, '\n').trim()
  if (!text) return null
  if (CONTROL.test(text)) throw invalid(path, `${path} must not contain control characters.`)
  const { length } = Array.from(text)
  if (length > maxChars)
    throw invalid(path, `${path} must have at most ${maxChars} characters${itHas(path, length)}.`)
  return text
}
