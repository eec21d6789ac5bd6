import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { flag, idShape, nullable, oneOf, text, Timestamp } from '../../platform/resources/shapes.ts'

const SP_ID = '01ARZ3NDEKTSV4RRFFQ69G5FAV.01ARZ3NDEKTSV4RRFFQ69G5FAW.kJ8xQ2vN0aE'
const URL_MAX_CHARS = 8_192
const REFERRER_MAX_CHARS = 2_048

const METHODS = ['referrer', 'click_id', 'fingerprint'] as const
export type Method = (typeof METHODS)[number]
export type Platform = 'ios' | 'android'

const shortUrl = (description: string) =>
  text(description, 'https://links.example.com/spring-sale', {
    minLength: 1,
    maxLength: URL_MAX_CHARS,
  })

export const ResolveDeferred = named(
  'ResolveDeferredLink',
  Type.Partial(
    Type.Object({
      installReferrer: text(
        'The install referrer that the Play Store hands to the app.',
        'deepLink=https%3A%2F%2Flinks.example.com%2Fspring-sale',
        { maxLength: REFERRER_MAX_CHARS },
      ),
      clickId: text('The value of the parameter `sp_id`, or the id of a click.', SP_ID, {
        minLength: 1,
        maxLength: 128,
      }),
      deepLink: shortUrl(
        'The URL with which the app was opened: a short URL, or any URL with the parameter `sp_id`.',
      ),
      url: shortUrl('The same as `deepLink`, which goes first.'),
      domain: text('Host of the short URL, if `deepLink` is its path alone.', 'links.example.com', {
        minLength: 1,
        maxLength: 260,
      }),
      platform: oneOf(
        ['ios', 'android'],
        'The system of the phone. It chooses the deep link of the answer, and a match by fingerprint needs it.',
        'ios',
      ),
      language: text('Preferred language of the phone. A match by fingerprint needs it.', 'de-DE', {
        maxLength: 64,
      }),
    }),
    { examples: [{ platform: 'ios', language: 'de-DE', clickId: SP_ID }] },
  ),
)
export type ResolveDeferred = Static<typeof ResolveDeferred>

const DeferredLink = object('DeferredLink', {
  id: idShape('lnk', 'Id of the link.'),
  slug: text('Path of its short URL.', 'spring-sale'),
  domain: text('Host of its short URL.', 'links.example.com'),
  destinationUrl: text('Where it leads.', 'https://example.com/spring'),
})

export const DeferredMatch = object('DeferredMatch', {
  matched: flag('Whether a click or a link was found.', true),
  method: described(
    Type.Unsafe<Method | null>({ type: ['string', 'null'], enum: [...METHODS, null] }),
    'What it was found by: `referrer`: `installReferrer`; `click_id`: `clickId`, `deepLink` or `url`; `fingerprint`: address, platform and language.',
    'click_id',
  ),
  confidence: described(
    Type.Number({ minimum: 0, maximum: 1 }),
    '1: the click itself. 0.9: the link, without knowing the click. 0.6: a click that is probably that of this phone. 0: no match.',
    1,
  ),
  clickId: nullable(
    text('Id of the click; null for a match by the link alone.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  ),
  link: nullable(described(DeferredLink, 'The link.')),
  deepLink: nullable(
    text('What to open: the deep link of the platform, or the destination.', 'app://spring'),
  ),
  metadata: described(
    Type.Unsafe<Record<string, unknown> | null>({
      type: ['object', 'null'],
      additionalProperties: true,
    }),
    'The metadata of the link.',
    null,
  ),
  clickedAt: nullable(described(Timestamp, 'Time of the click.')),
})
export type DeferredMatch = Static<typeof DeferredMatch>
