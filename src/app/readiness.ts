import { createChecks, type Checks } from '../base/checks.ts'
import type { Snapshot } from '../edge/snapshot.ts'
import type { CheckStates, ReadyDeps } from '../gateway/ready.ts'
import type { Journal } from '../journal/writer.ts'
import type { Preparation } from '../storage/preparation.ts'
import { partsOf, type ProcessRole } from './roles.ts'
import type { Shipping } from './shipping/shipping.ts'

/**
 * Checks of this process, which `/ready` answers. A part that is opened adds its check; `stop` makes the answer a 503 before
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
    const roles = needsOf(this.#role)
    return {
      readStates: this.readStates,
      roles,
      // A process that does everything stays in front of its visitors for as long as it can redirect them.
      decidingRole: this.#role === 'all' ? 'edge' : this.#role,
      isStopping: () => this.#isStopping,
    }
  }
}

/** An edge that has read no links is of no use without PostgreSQL. */
export function edgeChecks(
  {
    journal,
    shipping,
  }: { journal: Pick<Journal, 'requireWritable'>; shipping: Pick<Shipping, 'checks'> },
  preparation: Pick<Preparation, 'isReady'>,
  snapshot: Pick<Snapshot, 'isEmpty'> | null,
): Checks {
  return {
    ...shipping.checks,
    journal: async () => journal.requireWritable(),
    links: async () => {
      if (!preparation.isReady && (snapshot === null || snapshot.isEmpty()))
        throw new Error('PostgreSQL is away, and there is no snapshot of links')
    },
  }
}

/**
 * The checks that decide about the roles of a process. An edge redirects known links without a database, and
 * journals their clicks. Services and workers do most of their work without ClickHouse, which only analytics need.
 */
function needsOf(role: ProcessRole): Record<string, string[]> {
  const { edge, api, worker } = partsOf(role)
  return {
    ...(edge && { edge: ['journal', 'links'] }),
    ...(api === 'whole' && { gateway: ['postgres'] }),
    ...(api === 'forwards' && { gateway: ['postgres', 'services'] }),
    ...((api === 'whole' || api === 'behind') && { services: ['postgres'] }),
    ...(worker && { worker: ['postgres'] }),
  }
}
