import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { HashLinkPassword } from '../write/password.ts'
import type { ShortHost } from './short-host.ts'

export type ListDeps = {
  reads: Pick<Dependencies['reads'], 'read'>
  clock: Dependencies['clock']
  /** A function, since the port may be chosen at start. */
  shortHost: () => ShortHost
}

export type LinkDeps = ListDeps &
  Pick<
    Dependencies,
    'sql' | 'audit' | 'limit' | 'requireCapability' | 'publish' | 'saveIdempotentResponse'
  > & { hashLinkPassword: HashLinkPassword }
