import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { bindDeps } from '../../base/bind-deps.ts'
import { ApiError, invalid } from '../../base/errors.ts'
import { page } from '../../base/route.ts'
import { roleAtLeast, type Who } from '../../base/who.ts'
import { itIs } from '../../base/refused-value.ts'
import type { Countries } from '../../facts/country.ts'
import type { AddressLocation, GeoDataMeta, GeoipQuery } from './schema.ts'

export type Geoip = ReturnType<typeof createGeoip>

type GeoipDeps = { countries: Pick<Countries, 'describe'> }

/** Look-ups in the geo database of the installation. */
export const createGeoip = (deps: GeoipDeps) => bindDeps(deps, { locate })

/** @throws ApiError FORBIDDEN for another address than the caller's own, unless an admin asks */
async function locate({ countries }: GeoipDeps, who: Who, query: GeoipQuery) {
  const ip = query.ip === undefined ? who.ip : parseAddress(who, query.ip)
  const { location, source } = countries.describe(ip ?? '')
  return page<AddressLocation, GeoDataMeta>(
    { ip, ...location },
    { attribution: source.attribution, dataBuiltAt: source.builtAt?.toISOString() ?? null },
  )
}

/** In canonical form: an IPv4 address that is mapped into IPv6 becomes IPv4. */
function parseAddress(who: Who, ip: string): string {
  if (!roleAtLeast(who.role, 'admin'))
    throw new ApiError(
      'FORBIDDEN',
      'Only owners and admins look up other addresses than their own.',
    )
  if (isIP(ip) === 0)
    throw invalid('ip', `ip must be an IPv4 or IPv6 address${itIs('ip', ip)}.`, 'format')
  return ipaddr.process(ip).toString()
}
