import type { Offline } from '../operator/command-line/operate.ts'
import type { Operations } from '../operator/operations.ts'
import { createEgressGuard } from '../platform/egress/guard.ts'
import { describeNothing } from '../platform/facts/country.ts'
import { openRateLimits } from '../platform/limits/rate-limits.ts'
import { openMails } from '../platform/mail/mails.ts'
import { createAddress, openServices } from './services.ts'

/** An operation of the command line without a running server. */
export async function operateOffline(
  offline: Offline,
  name: keyof Operations,
  input: object,
): Promise<unknown> {
  const { operator } = await openServices(await toInput(offline))
  const operation = operator.operations[name] as (input: object) => Promise<unknown>
  return operation(input)
}

async function toInput(offline: Offline): Promise<Parameters<typeof openServices>[0]> {
  const { config, log } = offline
  const { origin, shortHost } = createAddress(config, config.port)
  return {
    ...offline,
    mails: openMails(config, () => origin, offline),
    rateLimits: await openRateLimits({ redisUrl: null, log }),
    origin: () => origin,
    shortHost: () => shortHost,
    readStates: async () => ({}),
    shippedThroughMs: async () => Infinity,
    // The operator's commands look up no address.
    countries: { describe: describeNothing },
    guard: createEgressGuard({ allowedCidrs: [] }),
  }
}
