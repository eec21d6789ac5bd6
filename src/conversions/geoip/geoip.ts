import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { ApiError, invalid, itIs } from '../../platform/core/errors.ts'
import { page, route } from '../../platform/routes/route.ts'
import { roleAtLeast, type Principal } from '../../platform/routes/principal.ts'
import type { Countries } from '../../platform/facts/country.ts'
import { AddressLocation, GeoDataMeta, GeoipQuery } from './schema.ts'

async function locate(
  countries: Pick<Countries, 'describe'>,
  principal: Principal,
  query: GeoipQuery,
) {
  const ip = query.ip === undefined ? principal.ip : parseAddress(principal, query.ip)
  const { location, source } = countries.describe(ip ?? '')
  return page<AddressLocation, GeoDataMeta>(
    { ip, ...location },
    { attribution: source.attribution, dataBuiltAt: source.builtAt?.toISOString() ?? null },
  )
}

/** In canonical form: an IPv4 address that is mapped into IPv6 becomes IPv4. */
function parseAddress(principal: Principal, ip: string): string {
  if (!roleAtLeast(principal.role, 'admin'))
    throw new ApiError(
      'FORBIDDEN',
      'Only owners and admins look up other addresses than their own.',
    )
  if (isIP(ip) === 0)
    throw invalid('ip', `ip must be an IPv4 or IPv6 address${itIs('ip', ip)}.`, 'format')
  return ipaddr.process(ip).toString()
}

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
