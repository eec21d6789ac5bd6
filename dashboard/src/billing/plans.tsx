import { api, dataOf, type Schemas } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatMoney } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { readPlan } from '../kit/read-plan.ts'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/billing.ts'
import { keepBuyer } from './buyer.ts'
import type { Plan } from './queries.ts'

type Interval = Plan['soldIntervals'][number]

/** The plans that are sold. With a subscription its own page changes it, or else one starts here. */
export function Plans({
  plans,
  subscription,
}: {
  plans: readonly Plan[]
  subscription: Schemas['Subscription']
}) {
  const mayBuy = useMay('owner')
  const hasSubscription =
    subscription.currentPeriodEnd !== null && subscription.status !== 'canceled'
  const shown = plans.filter(
    ({ id, soldIntervals }) => soldIntervals.length > 0 || id === subscription.plan,
  )
  return (
    <Card title={text.billing.plans} action={mayBuy && hasSubscription && <Portal />}>
      {!mayBuy && <p className="px-4 text-sm text-soft">{text.billing.askOwner}</p>}
      <ul className="grid gap-4 p-4 sm:grid-cols-2 xl:grid-cols-3">
        {shown.map((plan) => (
          <PlanCard
            key={plan.id}
            plan={plan}
            isPresent={plan.id === subscription.plan}
            mayBuy={mayBuy && !hasSubscription}
          />
        ))}
      </ul>
    </Card>
  )
}

function PlanCard({
  plan: { id, name, price, limits, capabilities, soldIntervals },
  isPresent,
  mayBuy,
}: {
  plan: Plan
  isPresent: boolean
  mayBuy: boolean
}) {
  const { id: workspaceId } = useWorkspace()
  const buy = useAction(
    (interval: Interval) => dataOf(api.POST('/billing/checkout', { body: { plan: id, interval } })),
    { refreshes: [], showsErrors: true, onDone: ({ url }) => leaveTo(url, workspaceId) },
  )
  const given = (Object.keys(capabilities) as (keyof typeof capabilities)[]).filter(
    (each) => capabilities[each],
  )
  return (
    <li className={`flex flex-col gap-2 rounded border border-line p-4 ${isPresent ? 'here' : ''}`}>
      <h3 className="text-base font-semibold">
        {readPlan(name)}{' '}
        {isPresent && <span className="text-sm font-normal text-soft">{text.billing.present}</span>}
      </h3>
      <Prices price={price} />
      <ul className="text-sm text-soft">
        {(Object.keys(limits) as (keyof typeof limits)[]).map((each) => (
          <li key={each} className="flex justify-between gap-3">
            {text.states.limits[each]}
            <span>{limits[each] ?? '∞'}</span>
          </li>
        ))}
      </ul>
      {given.length > 0 && (
        <p className="text-sm text-soft">
          {text.billing.includes(given.map((each) => text.billing.capabilities[each]).join(', '))}
        </p>
      )}
      <ErrorNote error={buy.error} />
      {mayBuy && (
        <div className="mt-auto flex flex-wrap gap-2">
          {soldIntervals.map((interval) => (
            <Button
              key={interval}
              look={interval === 'monthly' ? 'primary' : 'plain'}
              isBusy={buy.isPending && buy.variables === interval}
              onClick={() => buy.mutate(interval)}
            >
              {text.billing[interval]}
            </Button>
          ))}
        </div>
      )}
    </li>
  )
}

function Prices({ price: { monthly, yearly, currency } }: Pick<Plan, 'price'>) {
  return (
    <p className="text-sm">
      {monthly !== null && (
        <span className="me-3">
          <b className="text-lg font-bold">{formatMoney(monthly, currency)}</b>{' '}
          {text.billing.perMonth}
        </span>
      )}
      {yearly !== null && (
        <span className="text-soft">
          {formatMoney(yearly, currency)} {text.billing.perYear}
        </span>
      )}
    </p>
  )
}

function Portal() {
  const { id: workspaceId } = useWorkspace()
  const open = useAction(() => dataOf(api.POST('/billing/portal')), {
    refreshes: [],
    showsErrors: true,
    onDone: ({ url }) => leaveTo(url, workspaceId),
  })
  return (
    <>
      <Button icon="external-link" isBusy={open.isPending} onClick={() => open.mutate()}>
        {text.billing.portal}
      </Button>
      <ErrorNote error={open.error} />
    </>
  )
}

/** Leads to a page of the payment provider, which leads back to `/app/billing`. */
function leaveTo(url: string, workspaceId: string): void {
  keepBuyer(workspaceId)
  location.assign(url)
}
