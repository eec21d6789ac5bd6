import type { Config } from '../config/config.ts'

/** The address on this machine of a server on this port. */
export function localOrigin({ host }: Pick<Config, 'host'>, port: number): string {
  return `http://${loopbackName(host)}:${port}`
}

/** A browser cannot open a wildcard address. */
function loopbackName(host: string): string {
  if (['127.0.0.1', '0.0.0.0', '::', '::1'].includes(host)) return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
