import { invalid, type ApiError } from '../../platform/core/errors.ts'
import { PLATFORMS, type PageBlock } from '../../platform/facts/bio-page.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { toDate } from '../../platform/resources/shapes.ts'
import { BLOCK_TITLE_MAX_CHARS, TEXT_MAX_CHARS, type BlockInput } from './schema.ts'
import { checkProfileUrl, checkText, checkUrl } from './values.ts'

type Content = Pick<PageBlock, 'title' | 'url' | 'linkId' | 'mediaId' | 'icon'>

const EMOJI = /^\p{RGI_Emoji}$/v
const NONE: Content = { title: null, url: null, linkId: null, mediaId: null, icon: null }

/** A `link` keeps its URL until its link is written. */
export function checkBlock(input: BlockInput, path: string): Omit<PageBlock, 'id'> {
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
