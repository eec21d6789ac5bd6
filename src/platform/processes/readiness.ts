import { createChecks, type Checks } from '../core/checks.ts'
import type { CheckStates, ReadyDeps } from './ready.ts'
import { partsOf, type ProcessRole } from '../config/roles.ts'

/**
 * Checks of a server process, which `/ready` answers. A part that is opened adds its check; `stop` makes the answer a 503 before
 * the process accepts no more requests.
 */
export class Readiness {
  readonly #role: ProcessRole
  readonly #checks: Record<string, () => Promise<unknown>> = {}
  #isStopping = false
  #read: (() => Promise<CheckStates>) | null = null

  constructor(role: ProcessRole) {
    this.#role = role
  }

  /** All checks, once every part has added its own. */
  readonly readStates = (): Promise<CheckStates> => {
    this.#read ??= createChecks(this.#checks)
    return this.#read()
  }

  add(checks: Checks): void {
    Object.assign(this.#checks, checks)
  }

  stop(): void {
    this.#isStopping = true
  }

  /** For the gateway, once every part has added its checks. */
  toDeps(): ReadyDeps {
    return {
      readStates: this.readStates,
      roles: needsOf(this.#role),
      decidingRole: this.#role,
      isStopping: () => this.#isStopping,
    }
  }
}

/**
 * The checks that decide about the roles of an installation's processes. Redirects of known links need no database, and
 * their clicks are journaled. Services and workers do most of their work without ClickHouse, which only analytics need.
 */
export function needsOf(role: ProcessRole): Record<string, string[]> {
  const { edge, api, worker } = partsOf(role)
  // Redirect processes name a missing server process.
  const database = edge ? ['server', 'postgres'] : ['postgres']
  return {
    ...(edge && { edge: ['journal', 'links'] }),
    ...(api === 'whole' && { gateway: database }),
    ...(api === 'forwards' && { gateway: ['postgres', 'services'] }),
    ...((api === 'whole' || api === 'behind') && { services: database }),
    ...(worker && { worker: database }),
  }
}
