import { Type, type Static } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { flag, integer, nullable, oneOf, text, Timestamp } from '../../platform/resources/shapes.ts'
import { CreateLink } from '../link/schema.ts'

const MAX_TEXT = 512
const MAX_QUERY = 8_192
const MAX_LABEL = 80

/** What is left out is unknown, as on the edge. */
export const DescribedVisit = Type.Partial(
  Type.Object({
    userAgent: text('User agent of the visitor.', 'Mozilla/5.0 (iPhone)', { maxLength: MAX_TEXT }),
    country: text('ISO 3166-1 code of the country.', 'DE', { pattern: '^[A-Za-z]{2}$' }),
    region: text('Region, with its country.', 'DE-BE', { maxLength: MAX_LABEL }),
    city: text('City; no condition depends on it.', 'Berlin', { maxLength: MAX_LABEL }),
    language: text('A language, or an Accept-Language header.', 'de', { maxLength: 128 }),
    query: text('Query of the short URL.', 'source=app', { maxLength: MAX_QUERY }),
    at: described(Timestamp, 'Time of the visit; now by default.'),
    unlocked: flag('Whether the visitor has given the password.', false),
  }),
)
export type DescribedVisit = Static<typeof DescribedVisit>

export const LinkDraft = named(
  'LinkDraft',
  Type.Object(
    {
      ...CreateLink.properties,
      name: Type.Optional(CreateLink.properties.name),
      visit: Type.Optional(described(DescribedVisit, 'The visit; what is left out is unknown.')),
    },
    { examples: [{ destinationUrl: 'https://example.com/spring', visit: { country: 'DE' } }] },
  ),
)
export type LinkDraft = Static<typeof LinkDraft>

const Step = named(
  'ExplainedStep',
  Type.Object({
    step: text(
      'What was compared: `status`, the name of an option, `rule:<id>` or `destination`.',
      'destination',
    ),
    result: oneOf(
      ['answer', 'continue'],
      'Whether the step gave the answer, or left it to the next one.',
      'answer',
    ),
    detail: text('Why.', 'the destination of the link'),
  }),
)

export const Explanation = named(
  'LinkExplanation',
  Type.Object({
    outcome: oneOf(
      ['redirect', 'page', 'password', 'card', 'interstitial'],
      'Kind of the answer.',
      'redirect',
    ),
    status: integer('Status of the answer.', 302),
    location: nullable(
      text(
        'Target of the redirect, or the app that the interstitial offers.',
        'https://example.com/spring',
      ),
    ),
    page: nullable(
      text(
        'Name of the page: `missing`, `pending`, `expired`, `exhausted`, `blocked`, `suspended`, `password`, `card` or `interstitial`.',
        'missing',
      ),
    ),
    route: nullable(
      text(
        'Which destination: `default`, `ios`, `android`, `rule:<id>` or `variant:<id>`; null for an answer that is no click.',
        'default',
      ),
    ),
    steps: described(Type.Array(Step), 'The steps up to the answer, in their order.'),
  }),
)
export type Explanation = Static<typeof Explanation>
