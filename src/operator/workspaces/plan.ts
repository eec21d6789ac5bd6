import { OperatorError } from '../../platform/core/errors.ts'
import { inTransaction } from '../../platform/storage/postgres/postgres.ts'
import { systemActing } from '../../platform/audit/acting.ts'
import type { SetPlan } from '../billing/set-plan.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'

type Deps = Pick<Dependencies, 'systemSql' | 'plans'> & { setPlan: SetPlan }

/**
 * The operator's command that sets the plan of a workspace. It does not change a subscription at a
 * billing provider, whose next event sets the plan again.
 * @throws OperatorError for a workspace or plan that does not exist
 */
export function createSetWorkspacePlan({ systemSql, plans, setPlan }: Deps) {
  return async ({ workspace, plan }: { workspace: string; plan: string }) => {
    if (!plans.find(plan))
      throw new OperatorError(
        `The plan "${plan}" does not exist; the plans are ${plans.all.map(({ id }) => id).join(', ')}.`,
      )
    return inTransaction(systemSql, async (tx) => {
      const [row] = await tx<{ plan: string }[]>`
        select plan from workspaces where id = ${workspace} for no key update`
      if (!row) throw new OperatorError(`The workspace ${workspace} does not exist.`)
      await setPlan(tx, systemActing(workspace, 'operator'), { plan })
      return { workspaceId: workspace, plan, previousPlan: row.plan }
    })
  }
}
