import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatDay, formatMonth } from '../kit/format.ts'
import { Card, Skeleton } from '../kit/layout.tsx'
import { Meter } from '../kit/meter.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { readPlan } from '../kit/read-plan.ts'
import { text } from '../text/billing.ts'
import { Payments } from './payments.tsx'
import { Plans } from './plans.tsx'
import { billingQuery, type Plan } from './queries.ts'

export function BillingPage() {
  return (
    <OnlyFor role="admin">
      <Billing />
    </OnlyFor>
  )
}

function Billing() {
  const { id } = useWorkspace()
  const billing = useQuery(billingQuery(id))
  if (billing.error && !billing.data)
    return <ErrorNote error={billing.error} onRetry={() => void billing.refetch()} />
  if (!billing.data) return <Skeleton rows={6} height={56} />
  const { subscription, use, plans } = billing.data
  const isSold = plans.some(({ soldIntervals }) => soldIntervals.length > 0)
  const plan = plans.find((each) => each.id === subscription.plan)
  return (
    <div className="flex flex-col gap-4">
      <PresentPlan name={plan?.name ?? subscription.plan} {...subscription} />
      <Use {...use} />
      {isSold ? (
        <>
          <Plans plans={plans} subscription={subscription} />
          <Payments />
        </>
      ) : (
        <p className="text-sm text-soft">{text.billing.notSold}</p>
      )}
    </div>
  )
}

type Status = keyof typeof text.billing.statuses

function PresentPlan({
  name,
  status,
  currentPeriodEnd,
  cancelAtPeriodEnd,
}: {
  name: string
  status: Status
  currentPeriodEnd: string | null
  cancelAtPeriodEnd: boolean
}) {
  return (
    <Card title={text.billing.plan}>
      <p className="flex flex-wrap items-baseline gap-x-3 px-4 pt-1 pb-4">
        <b className="text-lg font-bold">{readPlan(name)}</b>
        {currentPeriodEnd && (
          <span
            className={`text-sm ${status === 'past_due' ? 'font-semibold text-stop' : 'text-soft'}`}
          >
            {text.billing.statuses[status]},{' '}
            {cancelAtPeriodEnd || status === 'canceled' ? text.billing.ends : text.billing.renews}{' '}
            {formatDay(currentPeriodEnd)}
          </span>
        )}
      </p>
    </Card>
  )
}

const NEAR_SHARE = 0.9

function Use({
  period,
  resetsAt,
  usage,
}: {
  period: string
  resetsAt: string
  usage: Record<string, { used: number; limit: number | null }>
}) {
  const rows = Object.entries(usage) as [keyof Plan['limits'], (typeof usage)[string]][]
  return (
    <Card title={text.billing.use} note={text.billing.useNote(formatMonth(period))}>
      <ul className="grid gap-x-8 gap-y-3 p-4 sm:grid-cols-2">
        {rows.map(([name, { used, limit }]) => (
          <li key={name} className="flex flex-col gap-1">
            <div className="flex justify-between gap-3 text-sm">
              <span>{text.states.limits[name]}</span>
              <span className="text-end">
                {limit === null ? text.billing.unlimited(used) : text.billing.of(used, limit)}
              </span>
            </div>
            {limit !== null && (
              <Meter
                value={used}
                max={limit}
                label={text.states.limits[name]}
                isWarning={limit > 0 && used >= limit * NEAR_SHARE}
              />
            )}
          </li>
        ))}
      </ul>
      <p className="px-4 pb-4 text-sm text-soft">
        {text.billing.resets(formatDay(resetsAt, 'UTC'))}
      </p>
    </Card>
  )
}
