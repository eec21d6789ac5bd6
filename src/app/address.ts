import type { Config } from '../platform/config/config.ts'
import { createShortHost, type ShortHost } from '../links/link/short-host.ts'
import { localOrigin, ownOrigin } from './local-origin.ts'

export type ServerAddress = {
  /** Where users reach the installation: PUBLIC_URL, or loopback. */
  origin: string
  /** Where this process answers. */
  ownOrigin: string
  shortHost: ShortHost
}

/** @param port on which clients reach this installation */
export function createAddress(config: Config, port: number): ServerAddress {
  const origin = config.publicUrl ?? localOrigin(config, port)
  return {
    origin,
    ownOrigin: ownOrigin(config, port),
    shortHost: createShortHost({ ...config, origin, port }),
  }
}
