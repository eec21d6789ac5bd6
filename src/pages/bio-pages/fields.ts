import { invalid } from '../../platform/core/errors.ts'
import { newId } from '../../platform/core/ids.ts'
import type { PageBlock, PageContent, PageSeo, PageSocial } from '../../platform/facts/bio-page.ts'
import {
  leastContrast,
  MIN_CONTRAST,
  toLook,
  type PageTheme,
} from '../../platform/facts/page-theme.ts'
import { checkName } from '../../platform/resources/field-checks.ts'
import { checkBlock } from './blocks.ts'
import {
  DESCRIPTION_MAX_CHARS,
  TITLE_MAX_CHARS,
  type BioPage,
  type UpdateBioPage,
} from './schema.ts'
import { checkProfileUrl, checkText } from './values.ts'

const BLOCK_ID = /^blk_[0-9A-HJKMNP-TV-Z]{26}$/
/** As JSON. Bounds the size of a list of pages. */
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
