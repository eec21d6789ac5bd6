import { route } from '../../platform/routes/route.ts'
import type { Countries } from '../../platform/facts/country.ts'
import { locate } from './geoip.ts'
import { AddressLocation, GeoDataMeta, GeoipQuery } from './schema.ts'

export const geoipRoutes = (countries: Pick<Countries, 'describe'>) => [
  route('GET /geoip', {
    // Without a scope: any key may know where its own address is.
    requires: { credential: 'any', role: 'viewer' },
    name: 'locateAddress',
    summary: 'Locate an address',
    description:
      'Returns what the geo database of this server knows about your address, or for owners and admins about any other. What is not known is null, as is everything about loopback and private addresses.',
    tag: 'Geo lookup',
    shapes: { query: GeoipQuery, reply: AddressLocation, meta: GeoDataMeta },
    handle: (principal, { query }) => locate(countries, principal, query),
  }),
]
