import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'

/** The address on this machine of a server on this port. */
export function localOrigin({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${loopbackName(host)}:${port}`
}

/** Where this installation answers on this port: services are not at PUBLIC_URL, which leads to the gateway. */
export function ownOrigin(
  config: Pick<Config, 'host' | 'publicUrl' | 'role'>,
  port: number,
): string {
  const isBehind = partsOf(config.role).api === 'behind'
  return (isBehind ? null : config.publicUrl) ?? localOrigin(config, port)
}

/** A browser cannot open a wildcard address. */
function loopbackName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
