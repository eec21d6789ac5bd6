import type { AccountsRoom } from '../accounts/open.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import type { Config } from '../platform/config/config.ts'
import { hasOperatorSocket } from '../platform/config/roles.ts'
import { warnOfUnknownPlans } from '../platform/plans/plans.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { Stores } from '../platform/storage/stores.ts'
import { openAbuse } from './abuse/open.ts'
import { createBilling } from './billing/billing.ts'
import { createSubscriptionWarning, endSubscriptions } from './billing/ends.ts'
import { createProviderEvents } from './billing/events.ts'
import { billingRoutes } from './billing/routes.ts'
import { openStripe } from './billing/stripe.ts'
import { Usage } from './billing/usage.ts'
import { opensProbe, openOperatorSocket } from './socket.ts'
import { createOperations } from './operations.ts'
import type { Purge } from './purge.ts'
import type { HealthDeps } from './health/health.ts'
import { serverHealthRoutes } from './health/routes.ts'
import { serverUserRoutes } from './users/routes.ts'
import { createServerUsers } from './users/users.ts'
import { serverWorkspaceRoutes } from './workspaces/routes.ts'
import { createServerWorkspaces } from './workspaces/workspaces.ts'
import { bootstrapFromConfig, createBootstrap } from './workspaces/bootstrap.ts'

type Neighbors = {
  config: Config
  accounts: AccountsRoom
  purge: Purge
  readStates: HealthDeps['readStates']
}

export async function openOperator(
  deps: Dependencies & LinkDeps,
  { config, accounts: { signIn, apiKeys, accounts }, purge, readStates }: Neighbors,
) {
  const takesCommands = hasOperatorSocket(config.role)
  const usage = new Usage(deps)
  const provider = await openStripe({
    ...deps,
    secretKey: config.stripeSecretKey,
    webhookSecret: config.stripeWebhookSecret,
  })
  const billing = createBilling({ ...deps, usage, provider })
  const bootstrap = createBootstrap({ ...deps, apiKeys, signIn })
  const abuse = openAbuse(deps, config)
  const { blocks, reports } = abuse
  const workspaces = createServerWorkspaces(deps)
  const rules = { bootstrap, accounts, blocks, reports, workspaces }
  const operations = createOperations({ ...deps, purge }, rules)
  return {
    routes: {
      billing: billingRoutes(billing),
      abuse: abuse.routes,
      operator: [
        ...serverWorkspaceRoutes(workspaces),
        ...serverUserRoutes(createServerUsers(deps)),
        ...abuse.serverRoutes,
        ...serverHealthRoutes({ ...deps, config, readStates }),
      ],
    } satisfies Record<string, Route[]>,
    usage,
    abuse,
    bootstrap,
    operations,
    billingEvents: provider && createProviderEvents({ ...deps, provider }),
    endSubscriptions: provider
      ? (signal: AbortSignal) => endSubscriptions({ ...deps, provider }, signal)
      : createSubscriptionWarning(deps),
    /** Uses the tables for the first time. */
    async begin(): Promise<void> {
      if (takesCommands) await bootstrapFromConfig(config, bootstrap)
      await warnOfUnknownPlans(deps.systemSql, deps.plans, deps.log)
    },
    /** Serves the command line. @param ship null in a process that ships no journals */
    listen: (
      { addresses, secrets }: Pick<Stores, 'addresses' | 'secrets'>,
      ship: ((dir: string) => Promise<number>) | null,
    ) =>
      openOperatorSocket(
        config.dataDir,
        {
          ...(takesCommands && operations),
          ...(ship && { ship: ({ dir }: { dir: string }) => ship(dir) }),
          addresses: async () => addresses,
          'opens-probe': async ({ probe }: { probe: string }) => opensProbe(secrets, probe),
        },
        deps.log,
      ),
  }
}
