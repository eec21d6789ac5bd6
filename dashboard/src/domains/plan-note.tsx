import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/domains.ts'
import { limitQuery } from './queries.ts'

const BY_PLAN: readonly string[] = ['PLAN_LIMIT_REACHED', 'PLAN_CAPABILITY_REQUIRED']

/** Whether a larger plan would take away the refusal. */
export function isRefusedByPlan(error: unknown): error is ApiError {
  return error instanceof ApiError && BY_PLAN.includes(error.code)
}

/** A refusal by the plan, with a link to the other plans. */
export function PlanNote({ message }: { message: string }) {
  const { id: workspaceId } = useWorkspace()
  return (
    <p
      role="alert"
      className="flex flex-wrap items-center gap-x-2 rounded border border-warn p-3 text-sm"
    >
      <Icon name="triangle-alert" className="text-warn" />
      <span className="min-w-0">{message}</span>
      <Link
        to="/$workspaceId/settings/billing"
        params={{ workspaceId }}
        className="inline-flex items-center max-md:min-h-11"
      >
        {text.domains.toPlans}
      </Link>
    </p>
  )
}

/** Says so when the plan has no room for another domain. */
export function LimitNote() {
  const { id: workspaceId } = useWorkspace()
  const { data: use } = useQuery(limitQuery(workspaceId))
  if (!use || use.limit === null || use.used < use.limit) return null
  return <PlanNote message={text.domains.limitReached(use.limit)} />
}
