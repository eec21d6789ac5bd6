import { Type } from 'typebox'
import { described, named } from '../../platform/routes/shape.ts'
import { idShape, nullable, text, Timestamp } from '../../platform/resources/shapes.ts'

const orNull = (description: string, example: string) => nullable(text(description, example))
const utm = (field: string) => nullable(text(`\`${field}\` of the click.`, 'newsletter'))

/** The data of click.received, as src/platform/facts/click-data.ts makes it. */
export const ClickReceived = Type.Object({
  clickId: text('Id of the click.', '01ARZ3NDEKTSV4RRFFQ69G5FAV'),
  link: described(
    named(
      'ClickedLink',
      Type.Object({
        id: idShape('lnk', 'Id of the link.'),
        slug: text('The path of its short URL.', 'spring-sale'),
        shortUrl: text('Its whole short URL.', 'https://links.example.com/spring-sale'),
        domain: text('The host of the short URL.', 'links.example.com'),
      }),
    ),
    'The link that was clicked.',
  ),
  destinationUrl: text('Where the click led.', 'https://example.com/spring'),
  timestamp: described(Timestamp, 'When it was clicked.'),
  country: orNull('ISO country of the visitor.', 'DE'),
  region: orNull('Region of the visitor.', 'BY'),
  city: orNull('City of the visitor.', 'Munich'),
  continent: orNull('Continent of the visitor.', 'EU'),
  device: text('Kind of device.', 'desktop'),
  browser: text('Name of the browser.', 'Firefox'),
  os: text('Name of the operating system.', 'Linux'),
  referrer: text('Host of the page with the link; `direct` without one.', 'direct'),
  language: orNull('First language of the browser.', 'de'),
  trigger: text('`qr` for a scanned code, else `link`.', 'link'),
  utmSource: utm('utm_source'),
  utmMedium: utm('utm_medium'),
  utmCampaign: utm('utm_campaign'),
  utmTerm: utm('utm_term'),
  utmContent: utm('utm_content'),
})
