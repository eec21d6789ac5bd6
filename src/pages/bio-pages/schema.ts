import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import { BLOCK_TYPES, PLATFORMS } from '../../platform/facts/bio-page.ts'
import { FONTS, PRESETS, type FontName } from '../../platform/facts/page-theme.ts'
import { nameListQuery, type SortKeys } from '../../platform/resources/lists.ts'
import {
  CreatedAt,
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  oneOf,
  text,
  Timestamp,
  UpdatedAt,
  WorkspaceId,
} from '../../platform/resources/shapes.ts'

export const TITLE_MAX_CHARS = 100
export const DESCRIPTION_MAX_CHARS = 500
export const BLOCK_TITLE_MAX_CHARS = 255
export const TEXT_MAX_CHARS = 2_000
export const MAX_BLOCKS = 200
const MAX_SOCIALS = 20
const SLUG_MAX_CHARS = 100
const ICON_MAX_CHARS = 16
const URL_MAX_CHARS = 8_192
const STATUSES = ['draft', 'published'] as const

const slug = text(
  'The end of its address, in the characters of link slugs. Unique among pages, and on a branded domain among links too.',
  'ana',
  { minLength: 1, maxLength: SLUG_MAX_CHARS },
)
const title = text('The heading of the page.', 'Ana Lima', {
  minLength: 1,
  maxLength: TITLE_MAX_CHARS,
})
const description = nullable(
  text('The text below the heading.', 'Ceramics, slowly. Lisbon.', {
    maxLength: DESCRIPTION_MAX_CHARS,
  }),
)
const avatarMediaId = nullable(
  idInput('med', 'Id of the image at the top (`POST /media`); null: none.'),
)
const status = oneOf(
  STATUSES,
  'Only a `published` page is public. A `draft` keeps its slug.',
  'published',
)
const domainId = nullable(
  idInput('dom', 'Id of the branded domain of the page; null: the shared host, under `/p/`.'),
)
const isRoot = flag(
  'Whether the page also answers at `/` of its domain, which must not have a `rootRedirectUrl`.',
  false,
)
const color = (use: string, example: string) =>
  nullable(
    text(
      `The color of ${use}, as \`#\` and six hexadecimal digits; null: the color of the preset.`,
      example,
      { pattern: '^#[0-9a-fA-F]{6}$' },
    ),
  )
const font = described(
  Type.Unsafe<FontName | null>({ type: ['string', 'null'], enum: [...FONTS, null] }),
  'The kind of font; null: the font of the preset.',
  'sans',
)
const preset = oneOf(
  PRESETS,
  'The look that colors and font start from. `plain` follows the visitor’s preference for light or dark.',
  'ocean',
)
const themeFields = {
  preset,
  background: color('the background', '#e9f6fc'),
  text: color('the text. Its contrast with the background must be 4.5:1 or more', '#0a2b3c'),
  accent: color('the links', '#0a4f70'),
  font,
}
const Theme = object('BioPageTheme', themeFields)
const ThemeInput = named('BioPageThemeInput', Type.Partial(Type.Object(themeFields)))

const url = (use: string, example: string) =>
  nullable(
    documented(text(use, example, { minLength: 1, maxLength: URL_MAX_CHARS }), { format: 'uri' }),
  )
const blockTitle = nullable(
  text(
    'The text of the block, or the alternative text of an image. At most 255 characters; in a `text` block 2,000, with line breaks.',
    'Shop the spring collection',
    { maxLength: TEXT_MAX_CHARS },
  ),
)
const icon = nullable(
  text('The platform of a `social` block; an emoji of a `link`.', '🏺', {
    maxLength: ICON_MAX_CHARS,
  }),
)
const blockFields = {
  type: oneOf(
    BLOCK_TYPES,
    '`link`: a short link; `header` and `text`: words; `image`: an uploaded image; `social`: a profile; `embed`: a card for a video, song or post.',
    'link',
  ),
  title: blockTitle,
  url: url(
    'Where the block leads; for a `link`, the destination of its short link. `social` also takes `mailto:` and `tel:`.',
    'https://example.com/spring',
  ),
  linkId: nullable(
    idInput(
      'lnk',
      'Id of the short link of a `link`. Without one, a link named after the block is created.',
    ),
  ),
  icon,
  enabled: flag('Whether the block is shown.', true),
  startsAt: nullable(described(Timestamp, 'When it appears; null: at once.')),
  endsAt: nullable(
    described(Timestamp, 'When it disappears; null: never.', '2027-01-01T00:00:00.000Z'),
  ),
  mediaId: nullable(idInput('med', 'Id of the image of an `image` block.')),
}
const blockId = idShape('blk', 'Id of the block.')
const Block = object('BioPageBlock', {
  id: blockId,
  ...blockFields,
  shortUrl: nullable(
    text(
      'The short URL of its link; null without one, and once the link is deleted.',
      'https://links.example.com/aB3xK9q',
    ),
  ),
  ownsLink: flag(
    'True: the page has created the link, which follows changes of the title and URL of the block.',
    true,
  ),
})
const { type: blockType, ...optionalFields } = blockFields
const BlockInput = object('BioPageBlockInput', {
  type: blockType,
  ...Type.Partial(Type.Object(optionalFields)).properties,
  id: Type.Optional(
    described(nullable(Type.String()), 'Id of the block. Absent or null: a new block.', null),
  ),
})
export type BlockInput = Static<typeof BlockInput>

const Social = object('BioPageSocial', {
  platform: oneOf(
    PLATFORMS,
    'The platform whose icon is shown; `website` is any other.',
    'instagram',
  ),
  url: documented(
    text('The profile. `mailto:` and `tel:` work as well.', 'https://instagram.com/ana', {
      minLength: 1,
      maxLength: URL_MAX_CHARS,
    }),
    { format: 'uri' },
  ),
})
const seoFields = {
  title: nullable(
    text(
      'Title for search engines and previews; null: the title of the page.',
      'Ana Lima, ceramics',
      {
        maxLength: TITLE_MAX_CHARS,
      },
    ),
  ),
  description: nullable(
    text(
      'Description for search engines and previews; null: the page’s.',
      'Stoneware from a small studio in Lisbon.',
      { maxLength: DESCRIPTION_MAX_CHARS },
    ),
  ),
  imageMediaId: nullable(
    idInput('med', 'Id of the image of previews in messengers; null: the avatar.'),
  ),
  noindex: flag('Tells search engines to leave the page out.', false),
}
const Seo = object('BioPageSeo', seoFields)
const SeoInput = named('BioPageSeoInput', Type.Partial(Type.Object(seoFields)))

export const BioPage = object('BioPage', {
  id: idShape('bio', 'Id of the page.'),
  workspaceId: WorkspaceId,
  slug,
  title,
  description,
  avatarMediaId,
  theme: described(Theme, 'The preset, and the colors and fonts that differ from it.'),
  blocks: described(Type.Array(Block), 'The blocks in their order.'),
  socials: described(Type.Array(Social), 'The profiles below the heading, in their order.'),
  seo: described(Seo, 'Texts and image for search engines and previews.'),
  status,
  domainId,
  views: integer('Views by humans.', 1_204),
  clicks: integer('Clicks by humans on the links of its blocks, since each link was created.', 311),
  url: text('Its address.', 'https://links.example.com/p/ana'),
  publishedAt: nullable(described(Timestamp, 'When it was published; null: a draft.')),
  createdAt: CreatedAt,
  updatedAt: UpdatedAt,
  isRoot,
})
export type BioPage = Static<typeof BioPage>

const anyFields = Type.Partial(
  Type.Object({
    slug,
    title,
    description,
    avatarMediaId,
    theme: described(
      ThemeInput,
      'Replaces the theme; fields that are left out come from the preset.',
    ),
    blocks: described(
      Type.Array(BlockInput, { maxItems: MAX_BLOCKS }),
      'The blocks in their order: at most 200, and 100,000 characters of JSON in total. Replaces the list; blocks that are sent with their ids keep their links.',
      [{ type: 'link', title: 'Shop the spring collection', url: 'https://example.com/spring' }],
    ),
    socials: described(
      Type.Array(Social, { maxItems: MAX_SOCIALS }),
      'At most 20 profiles. Replaces the list.',
      [{ platform: 'instagram', url: 'https://instagram.com/ana' }],
    ),
    seo: described(SeoInput, 'Replaces the texts and the image for search engines and previews.'),
    status,
    domainId,
    isRoot,
  }),
)
export const UpdateBioPage = named('UpdateBioPage', described(anyFields, 'The fields to change.'))
export type UpdateBioPage = Static<typeof UpdateBioPage>

export const CreateBioPage = object(
  'CreateBioPage',
  {
    ...anyFields.properties,
    slug,
    title,
    importId: Type.Optional(
      idInput(
        'imp',
        'Id of the newest import of the workspace: its links become the blocks, in the order of the file, 200 at most. Instead of `blocks`.',
      ),
    ),
  },
  {
    examples: [
      {
        slug: 'ana',
        title: 'Ana Lima',
        theme: { preset: 'ocean' },
        blocks: [
          {
            type: 'link',
            title: 'Shop the spring collection',
            url: 'https://example.com/spring',
          },
        ],
        status: 'published',
      },
    ],
  },
)
export type CreateBioPage = Static<typeof CreateBioPage>

export const CreatedBioPageMeta = object('CreatedBioPageMeta', {
  leftOut: integer('Links of the import for which the page has no room; 0 without an import.', 0),
})

const PreviewNode = object('BioPagePreviewNode', {
  parent: nullable(integer('Index of the element that contains it; null: none.', 0)),
  tag: nullable(text('Tag of the element; null: a text.', 'h1')),
  attributes: described(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      additionalProperties: { type: 'string' },
    }),
    'Attributes of the element; empty for a text.',
    { class: 'link' },
  ),
  text: nullable(text('The text; null: an element.', 'Ana Lima')),
})
export const BioPagePreview = object('BioPagePreview', {
  style: text('The style sheet of the page, for a shadow root.', ':host{--text:#0a2b3c}'),
  nodes: described(
    Type.Array(PreviewNode),
    'Elements and texts in the order of the document, each after the one that contains it.',
  ),
})
export type BioPagePreview = Static<typeof BioPagePreview>

export const LinksQuery = Type.Object({
  links: oneOf(
    ['keep', 'delete'],
    'Whether to keep the links that the page created for removed blocks. Links that another page shows are always kept.',
    'keep',
    { default: 'keep' },
  ),
})
export type LinksQuery = Static<typeof LinksQuery>

export const SORT_KEYS = {
  createdAt: { key: 'p.created_at' },
  updatedAt: { key: 'p.updated_at' },
  title: { key: 'p.title collate human_order' },
} as const satisfies SortKeys<string>

export const ListBioPages = Type.Object({
  ...nameListQuery('pages', SORT_KEYS, { sortBy: 'createdAt', sortOrder: 'desc' }),
  status: Type.Optional(oneOf(STATUSES, 'Only pages of this status.', 'published')),
})
export type ListBioPages = Static<typeof ListBioPages>
