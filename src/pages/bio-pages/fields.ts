import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { PageBlock, PageContent, PageSeo, PageSocial } from '../../platform/facts/bio-page.ts'
import {
  leastContrast,
  MIN_CONTRAST,
  toLook,
  type PageTheme,
} from '../../platform/facts/page-theme.ts'
import { checkName } from '../../platform/resources/names.ts'
import { checkBlock } from './blocks.ts'
import {
  DESCRIPTION_MAX_CHARS,
  TITLE_MAX_CHARS,
  type BioPage,
  type UpdateBioPage,
} from './schema.ts'
import { checkText } from './texts.ts'
import { checkProfileUrl, type CheckUrl } from './urls.ts'

const BLOCK_ID = /^blk_[0-9A-HJKMNP-TV-Z]{26}$/
/** Of the JSON of all blocks, so that a list of pages has a bounded size. */
const BLOCKS_MAX_CHARS = 100_000

type Surroundings = { checkUrl: CheckUrl; nowMs: number }

/**
 * The content of a request in the form in which it is stored, without what it does not name. Ids are checked
 * elsewhere.
 * @throws ApiError VALIDATION_ERROR with a path such as `blocks.3.url`
 */
export function checkContent(
  input: UpdateBioPage,
  { checkUrl, nowMs }: Surroundings,
): Partial<PageContent> & { status?: BioPage['status'] } {
  return {
    ...(input.title !== undefined && { title: checkName(input.title, 'title', TITLE_MAX_CHARS) }),
    ...(input.description !== undefined && {
      description: checkText(input.description, 'description', DESCRIPTION_MAX_CHARS),
    }),
    ...(input.avatarMediaId !== undefined && { avatarMediaId: input.avatarMediaId }),
    ...(input.theme !== undefined && { theme: checkTheme(input.theme) }),
    ...(input.blocks !== undefined && { blocks: checkBlocks(input.blocks, checkUrl, nowMs) }),
    ...(input.socials !== undefined && { socials: checkSocials(input.socials, checkUrl) }),
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
      `The contrast of text and background is ${Math.floor(contrast * 100) / 100}:1; it must be ${MIN_CONTRAST}:1 at least.`,
      'contrast',
    )
  return theme
}

function checkBlocks(
  input: NonNullable<UpdateBioPage['blocks']>,
  checkUrl: CheckUrl,
  nowMs: number,
): PageBlock[] {
  const ids = new Set<string>()
  const blocks = input.map((block, i) => {
    const path = `blocks.${i}`
    const id = block.id ?? newId('blk', nowMs)
    if (!BLOCK_ID.test(id))
      throw invalid(
        `${path}.id`,
        `${path}.id must be an id that an answer gave; leave it out for a new one.`,
      )
    if (ids.has(id)) throw invalid(`${path}.id`, `${path}.id must not be the id of another block.`)
    ids.add(id)
    return { id, ...checkBlock(block, path, checkUrl) }
  })
  const { length } = JSON.stringify(blocks)
  if (length > BLOCKS_MAX_CHARS)
    throw invalid(
      'blocks',
      `blocks must have at most ${BLOCKS_MAX_CHARS} characters as JSON, all together; they have ${length}.`,
    )
  return blocks
}

function checkSocials(
  input: NonNullable<UpdateBioPage['socials']>,
  checkUrl: CheckUrl,
): PageSocial[] {
  return input.map(({ platform, url }, i) => ({
    platform,
    url: checkProfileUrl(url, `socials.${i}.url`, checkUrl),
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
