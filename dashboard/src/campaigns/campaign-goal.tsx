import { useQuery } from '@tanstack/react-query'
import { api, ask } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { getTimeZone } from '../kit/locale.ts'
import { Meter } from '../kit/meter.tsx'
import { text } from '../text/campaigns.ts'
import type { Campaign } from './queries.ts'

const REFRESH_MS = 60_000

/** Progress of a campaign towards its goal. Its list has the clicks; other metrics take a request. */
export function CampaignGoal({ campaign }: { campaign: Campaign }) {
  const { goal, clicks } = campaign
  if (!goal) return null
  if (goal.metric === 'clicks') return <Progress goal={goal} reached={clicks} />
  return <AskedProgress campaign={campaign} goal={goal} metric={goal.metric} />
}

type Goal = NonNullable<Campaign['goal']>

function AskedProgress({
  campaign,
  goal,
  metric,
}: {
  campaign: Campaign
  goal: Goal
  metric: 'uniqueVisitors' | 'conversions'
}) {
  const { id: workspaceId } = useWorkspace()
  const totals = useQuery({
    queryKey: [workspaceId, 'campaign', campaign.id, 'totals'],
    queryFn: ({ signal }) =>
      ask(
        api.GET('/analytics/campaigns/{id}', {
          params: {
            path: { id: campaign.id },
            query: { interval: 'all', timezone: getTimeZone() },
          },
          signal,
        }),
      ),
    refetchInterval: REFRESH_MS,
  })
  if (!totals.data)
    return (
      <p className="text-sm text-soft">
        {text.campaigns.goalTextOf(goal.target, text.campaigns.metrics[metric])}
      </p>
    )
  return <Progress goal={goal} reached={totals.data.data[metric]} />
}

function Progress({ goal, reached }: { goal: Goal; reached: number }) {
  const metric = text.campaigns.metrics[goal.metric]
  return (
    <div className="flex min-w-32 flex-col gap-1">
      <p className="text-sm">
        {text.campaigns.progress(reached, goal.target)} <span className="text-soft">{metric}</span>
      </p>
      <Meter value={reached} max={goal.target} label={text.campaigns.progressLabel(metric)} />
    </div>
  )
}
