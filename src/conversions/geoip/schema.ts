import { Type, type Static } from 'typebox'
import { described, named, object } from '../../platform/routes/shape.ts'
import { flag, nullable, text, Timestamp } from '../../platform/resources/shapes.ts'

export const GeoipQuery = Type.Object({
  ip: Type.Optional(
    text('The address to look up, for owners and admins; without it, your own.', '203.0.113.7', {
      maxLength: 64,
    }),
  ),
})
export type GeoipQuery = Static<typeof GeoipQuery>

const degrees = (description: string, example: number) =>
  nullable(described(Type.Number(), description, example))

export const AddressLocation = object('AddressLocation', {
  ip: nullable(text('The address.', '203.0.113.7')),
  country: nullable(text('Its country, by ISO 3166-1.', 'US')),
  countryName: nullable(text('English name of the country.', 'United States')),
  region: nullable(
    text('Its region, by ISO 3166-2; a name after the dash without a code.', 'US-CA'),
  ),
  regionName: nullable(text('Name of the region.', 'California')),
  city: nullable(text('Name of the city.', 'Oakland')),
  continent: nullable(text('AF, AN, AS, EU, NA, OC or SA.', 'NA')),
  latitude: degrees('Degrees north.', 37.8),
  longitude: degrees('Degrees east.', -122.27),
  timezone: nullable(text('Its time zone, by the IANA database.', 'America/Los_Angeles')),
  isEu: nullable(flag('Whether the country belongs to the European Union.', false)),
})
export type AddressLocation = Static<typeof AddressLocation>

export const GeoDataMeta = object('GeoDataMeta', {
  attribution: nullable(
    named(
      'GeoAttribution',
      described(
        Type.Object({
          text: text('The text to show.', 'IP Geolocation by DB-IP'),
          url: text('The page that it links to.', 'https://db-ip.com'),
        }),
        'What the license of the data asks you to show beside it; null where its maker is not known.',
      ),
    ),
  ),
  dataBuiltAt: nullable(described(Timestamp, 'When the data was built.')),
})
export type GeoDataMeta = Static<typeof GeoDataMeta>
