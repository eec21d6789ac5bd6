import { Type, type Static } from 'typebox'
import { described, documented, named, object } from '../../platform/routes/shape.ts'
import {
  flag,
  idInput,
  idShape,
  integer,
  nullable,
  text,
  Timestamp,
} from '../../platform/resources/shapes.ts'

export const URL_MAX_CHARS = 8_192
const MAX_RULES = 20
export const MAX_VARIANTS = 10
const MAX_COUNTRIES = 300
const MAX_LABELS = 100
const LABEL_MAX_CHARS = 80
const OPTION_NAME_MAX_CHARS = 255
export const MAX_QUERY_CONDITIONS = 10
const QUERY_NAME_MAX_CHARS = 100
const QUERY_VALUE_MAX_CHARS = 500
const CARD_TITLE_MAX_CHARS = 255
const CARD_DESCRIPTION_MAX_CHARS = 1_000
const CLICKS_MAX = 1_000_000_000

export const CONTINENT_CODES = ['AF', 'AN', 'AS', 'EU', 'NA', 'OC', 'SA'] as const
export const DEVICE_KINDS = ['desktop', 'mobile', 'tablet', 'other'] as const

export function targetUrl(description: string, example: string) {
  const shape = text(description, example, { minLength: 1, maxLength: URL_MAX_CHARS })
  return documented(shape, { format: 'uri' })
}

function labels(description: string, example: string, maxItems = MAX_LABELS) {
  const label = Type.String({ minLength: 1, maxLength: LABEL_MAX_CHARS })
  return described(Type.Array(label, { minItems: 1, maxItems }), description, [example])
}

const query = described(
  Type.Unsafe<Record<string, string | null>>({
    type: 'object',
    propertyNames: { minLength: 1, maxLength: QUERY_NAME_MAX_CHARS },
    additionalProperties: { type: ['string', 'null'], maxLength: QUERY_VALUE_MAX_CHARS },
  }),
  `Parameters of the short URL, at most ${MAX_QUERY_CONDITIONS}: the value each must have, or null for any.`,
  { source: 'app' },
)

const Conditions = named(
  'LinkConditions',
  described(
    Type.Partial(
      Type.Object({
        country: labels('Countries: ISO 3166-1 alpha-2 codes.', 'DE', MAX_COUNTRIES),
        region: labels('Regions: a country, a dash and a code. Needs a city database.', 'US-CA'),
        continent: labels(`Continents: ${CONTINENT_CODES.join(', ')}.`, 'EU'),
        device: labels(`Kinds of device: ${DEVICE_KINDS.join(', ')}.`, 'mobile'),
        os: labels('Operating systems, as the analytics name them.', 'iOS'),
        browser: labels('Browsers and HTTP clients, as the analytics name them.', 'Safari'),
        language: labels('Preferred languages of visitors, without a region.', 'de'),
        query,
        from: described(Timestamp, 'Time from which on the rule applies.'),
        to: described(Timestamp, 'Time until which the rule applies.', '2026-02-01T00:00:00.000Z'),
      }),
    ),
    'Conditions on a visitor.',
    { country: ['DE', 'AT'], device: ['mobile'] },
  ),
)
const conditions = described(
  Conditions,
  'Conditions of a rule, at least one. All of them must hold; of a list, one entry is enough. An unknown label of a visitor meets no condition.',
  { country: ['DE', 'AT'], device: ['mobile'] },
)
export type ConditionsInput = Static<typeof Conditions>
export const CONDITION_NAMES = Object.keys(Conditions.properties) as (keyof ConditionsInput)[]

const ruleId = idShape('rul', 'Id of the rule, which the click log names.')
const ruleName = text('Name of the rule.', 'Mobile visitors from Germany', {
  maxLength: OPTION_NAME_MAX_CHARS,
})
const isEnabled = flag('Whether the rule applies.', true)
const ruleUrl = targetUrl(
  'Target for visitors that meet the conditions.',
  'https://example.com/de/mobile',
)

const Rule = object('LinkRule', {
  id: ruleId,
  name: ruleName,
  enabled: isEnabled,
  conditions,
  destinationUrl: ruleUrl,
})

const KEPT_ID = 'Absent or null: a new one is given. An id that is sent back is kept.'
const idToKeep = (noun: string) =>
  described(nullable(Type.String()), `Id of the ${noun}. ${KEPT_ID}`, null)

const NewRule = object('NewLinkRule', {
  id: Type.Optional(idToKeep('rule')),
  name: Type.Optional(nullable(ruleName)),
  enabled: Type.Optional(described(nullable(isEnabled), 'Absent or null: true.', true)),
  conditions,
  destinationUrl: ruleUrl,
})
export type RuleInput = Static<typeof NewRule>

const variantId = idShape('var', 'Id of the variant, which the click log names.')
const variantName = text('Name of the variant.', 'New landing page', {
  maxLength: OPTION_NAME_MAX_CHARS,
})
const variantUrl = targetUrl('Target for its share of the visitors.', 'https://example.com/new')
const weight = integer('Share of the visitors in percent.', 50, { minimum: 1, maximum: 100 })

const Variant = object('LinkVariant', {
  id: variantId,
  name: variantName,
  destinationUrl: variantUrl,
  weight,
})

const NewVariant = object('NewLinkVariant', {
  id: Type.Optional(idToKeep('variant')),
  name: Type.Optional(nullable(variantName)),
  destinationUrl: variantUrl,
  weight,
})
export type VariantInput = Static<typeof NewVariant>

const cardTitle = nullable(
  text('Title of the preview.', 'Spring sale', { maxLength: CARD_TITLE_MAX_CHARS }),
)
const cardDescription = nullable(
  text('Text of the preview.', 'Everything at half price.', {
    maxLength: CARD_DESCRIPTION_MAX_CHARS,
  }),
)
const cardImage = nullable(
  targetUrl('Image of the preview: an https URL.', 'https://example.com/spring.png'),
)
const newCardImage = nullable(
  targetUrl(
    'Image of the preview: an https URL, or the id of an uploaded image, which is answered as its public address.',
    'https://example.com/spring.png',
  ),
)

const Card = object('LinkCard', {
  title: cardTitle,
  description: cardDescription,
  image: cardImage,
})

const NewCard = named(
  'NewLinkCard',
  Type.Partial(
    Type.Object({ title: cardTitle, description: cardDescription, image: newCardImage }),
  ),
)
export type CardInput = Static<typeof NewCard>

const ANY_SCHEME =
  'an http or https URL, or one with the custom scheme of an app. Null: no difference.'
const RULES = `Targets for some visitors, at most ${MAX_RULES}; the first rule whose conditions hold is taken.`
const VARIANTS = `Targets among which the other visitors are split: none, or 2 to ${MAX_VARIANTS} whose weights sum to 100. A visitor keeps a variant.`
const QR_LOGO = 'Uploaded image in the middle of the QR codes; null: none.'
const CARD = 'Preview for messengers and social networks, instead of the destination’s; null: none.'

const startsAt = nullable(
  described(
    Timestamp,
    'Time from which on the link redirects, before `expiresAt`; null: at once.',
    '2026-01-01T00:00:00.000Z',
  ),
)
const maxClicks = nullable(
  integer(
    'Number of redirects after which the link expires; bots count too. Null: no limit.',
    1_000,
    { minimum: 1, maximum: CLICKS_MAX },
  ),
)
const forwardQuery = flag('Whether the query of the short URL is added to the destination.', true)
const noindex = flag('Whether to tell search engines not to index the short URL.', false)
const trackConversions = flag(
  'Whether redirects pass the id of their click to the destination, in the parameter `sp_id`, for `POST /conversions`.',
  false,
)
const variantsUntil = nullable(
  described(
    Timestamp,
    'Time from which on all visitors get `destinationUrl` in place of a variant; null: never.',
    '2026-03-01T00:00:00.000Z',
  ),
)

const plainOptions = {
  iosDeepLink: nullable(
    text(`Target for visitors with iOS or iPadOS: ${ANY_SCHEME}`, 'exampleapp://spring', {
      minLength: 1,
      maxLength: URL_MAX_CHARS,
    }),
  ),
  androidDeepLink: nullable(
    text(
      `Target for visitors with Android: ${ANY_SCHEME}`,
      'https://play.google.com/store/apps/details?id=com.example.app',
      { minLength: 1, maxLength: URL_MAX_CHARS },
    ),
  ),
  expiredUrl: nullable(
    targetUrl(
      'Target of the link once it has expired; null: a page that says so.',
      'https://example.com/over',
    ),
  ),
  maxClicks,
  startsAt,
  variantsUntil,
}

export const optionAnswers = {
  ...plainOptions,
  rules: described(Type.Array(Rule), RULES),
  forwardQuery,
  noindex,
  trackConversions,
  qrLogoMediaId: nullable(idShape('med', QR_LOGO)),
  card: described(nullable(Card), CARD),
  variants: described(Type.Array(Variant), VARIANTS, [
    {
      id: 'var_01ARZ3NDEKTSV4RRFFQ69G5FAV',
      name: 'Old page',
      destinationUrl: 'https://example.com/old',
      weight: 50,
    },
    {
      id: 'var_01ARZ3NDEKTSV4RRFFQ69G5FAW',
      name: 'New page',
      destinationUrl: 'https://example.com/new',
      weight: 50,
    },
  ]),
}

export const optionInputs = {
  ...plainOptions,
  rules: described(nullable(Type.Array(NewRule, { maxItems: MAX_RULES })), RULES),
  forwardQuery: nullable(forwardQuery),
  noindex: nullable(noindex),
  trackConversions: nullable(trackConversions),
  qrLogoMediaId: nullable(idInput('med', QR_LOGO)),
  card: described(nullable(NewCard), CARD),
  variants: described(nullable(Type.Array(NewVariant, { maxItems: MAX_VARIANTS })), VARIANTS, [
    { name: 'Old page', destinationUrl: 'https://example.com/old', weight: 50 },
    { name: 'New page', destinationUrl: 'https://example.com/new', weight: 50 },
  ]),
}

const OptionInputs = Type.Partial(Type.Object(optionInputs))
export type OptionInputs = Static<typeof OptionInputs>
