import type { Config } from '../platform/config/config.ts'
import { partsOf } from '../platform/config/roles.ts'

export function localOrigin({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${loopbackName(host)}:${port}`
}

/** Services answer on this port, since PUBLIC_URL leads to the gateway. */
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
