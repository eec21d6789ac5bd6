import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ask, auth } from '../api/client.ts'
import { setGateEnabled } from '../api/session-gate.ts'

/** Ends the session of this browser, forgets what it read, and leads to the sign-in. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async () => {
    setGateEnabled(false)
    await ask(auth.POST('/auth/sign-out'))
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
}
