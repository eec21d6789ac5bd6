import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { setWorkspace } from '../api/client.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'

/** Forgets a workspace that the user has left or deleted, and goes to another one. */
export function useLeaveWorkspace(): () => Promise<void> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return async () => {
    setWorkspace(null)
    queryClient.removeQueries({ queryKey: [id] })
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    // Otherwise the start would still choose this workspace.
    queryClient.removeQueries({ queryKey: workspacesQuery.queryKey })
    await navigate({ to: '/' })
  }
}
