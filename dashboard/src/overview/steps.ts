import { useQuery } from '@tanstack/react-query'
import { useMay, useWorkspace } from '../api/workspace.ts'
import type { Summary } from '../figures/queries.ts'
import { endpointsQuery, invitationsQuery, usageQuery } from './queries.ts'

export type Step = { id: 'link' | 'click' | 'webhook' | 'team'; isDone: boolean }

/** The first steps that the role may take; null until it is known which of them are done. */
export function useSteps({ data: { links, totals } }: Summary): readonly Step[] | null {
  const { id } = useWorkspace()
  const mayWrite = useMay('member')
  const mayManage = useMay('admin')
  const endpoints = useQuery({ ...endpointsQuery(id), enabled: mayManage })
  const usage = useQuery({ ...usageQuery(id), enabled: mayManage })
  const hasTeam = (usedOf('members') ?? 0) > 1 || (usedOf('api_keys') ?? 0) > 0
  // An invitation counts as a member once it is accepted.
  const invitations = useQuery({
    ...invitationsQuery(id),
    enabled: mayManage && usage.isSuccess && !hasTeam,
  })
  if (!mayWrite) return []
  const steps: Step[] = [
    { id: 'link', isDone: links > 0 },
    { id: 'click', isDone: totals.clicks > 0 || (usedOf('clicks_monthly') ?? 0) > 0 },
  ]
  if (!mayManage) return steps
  if (!endpoints.data || !usage.data) return null
  return [
    ...steps,
    { id: 'webhook', isDone: endpoints.data.meta.total > 0 },
    { id: 'team', isDone: hasTeam || (invitations.data?.meta.total ?? 0) > 0 },
  ]

  function usedOf(limit: string): number | undefined {
    return usage.data?.usage[limit]?.used
  }
}

const KEY = 'signpost.first-steps.'

/** Whether this browser has hidden the first steps of a workspace. */
export function areStepsHidden(workspaceId: string): boolean {
  return localStorage.getItem(KEY + workspaceId) === 'hidden'
}

export function hideSteps(workspaceId: string): void {
  localStorage.setItem(KEY + workspaceId, 'hidden')
}
