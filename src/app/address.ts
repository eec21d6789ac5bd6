import type { Config } from '../config/config.ts'
import { createShortHost, type ShortHost } from '../services/links/short-host.ts'
import { localOrigin } from './local-origin.ts'
import { partsOf } from './roles.ts'

export type ServerAddress = {
  /** Under which users reach the installation: PUBLIC_URL, or loopback. */
  origin: string
  /** At which this process answers: that of the services is not PUBLIC_URL, which leads to the gateway. */
  ownOrigin: string
  shortHost: ShortHost
}

/** @param port on which clients reach this installation */
export function createAddress(config: Config, port: number): ServerAddress {
  const local = localOrigin(config, port)
  const origin = config.publicUrl ?? local
  return {
    origin,
    ownOrigin: partsOf(config.role).api === 'behind' ? local : origin,
    shortHost: createShortHost({ ...config, origin, port }),
  }
}
