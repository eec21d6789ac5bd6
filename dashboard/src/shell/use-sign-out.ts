import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ask, auth } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { closeGate, openGate, pageUser } from '../api/session-gate.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/shared.ts'

/** Ends the session of this browser, forgets what it read, and leads to the sign-in; a message says when it failed. */
export function useSignOut(): () => Promise<void> {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return async () => {
    const user = pageUser()
    closeGate()
    try {
      await ask(auth.POST('/auth/sign-out'))
    } catch (error) {
      if (user) openGate(user)
      const message = error instanceof ApiError ? error.message : text.errors.unexpected
      showToast(message, { isError: true })
      return
    }
    queryClient.clear()
    await navigate({ to: '/sign-in' })
  }
}
