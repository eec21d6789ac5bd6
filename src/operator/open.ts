import type { Config } from '../platform/config/config.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Route } from '../platform/routes/route.ts'
import type { AccountsRoom } from '../accounts/open.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import { openAbuse } from './abuse/open.ts'
import { createBilling } from './billing/billing.ts'
import { createClickCounter } from './billing/clicks.ts'
import { createProviderEvents } from './billing/events.ts'
import { billingRoutes } from './billing/routes.ts'
import { createSetPlan } from './billing/set-plan.ts'
import { openStripe } from './billing/stripe.ts'
import { Usage } from './billing/usage.ts'
import { createOperatorRules } from './operations.ts'
import type { Purge } from './purge.ts'

type Neighbors = { config: Config; accounts: AccountsRoom; purge: Purge }

/**
 * Plans and billing, abuse, and the operator's commands.
 * @throws OperatorError for settings that contradict each other
 */
export async function openOperator(
  deps: Dependencies & LinkDeps,
  { config, accounts: { signIn, apiKeys, accounts }, purge }: Neighbors,
) {
  const usage = new Usage(deps)
  const provider = await openStripe({
    ...deps,
    secretKey: config.stripeSecretKey,
    webhookSecret: config.stripeWebhookSecret,
  })
  const countClicks = createClickCounter(deps.clickhouse)
  const billing = createBilling({ ...deps, usage, countClicks, provider })
  const setPlan = createSetPlan(deps)
  const rules = createOperatorRules(deps, { setPlan, signIn, apiKeys, accounts, purge })
  const abuse = openAbuse(deps, config, { linkDeps: deps, workspaces: rules.workspaces })
  const routes = { billing: billingRoutes(billing), abuse: abuse.routes } satisfies Record<
    string,
    Route[]
  >
  return {
    routes,
    usage,
    provider,
    billingEvents: provider && createProviderEvents({ ...deps, setPlan, provider }),
    abuse,
    rules: { ...rules, ...abuse.operator },
  }
}
