import { useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { ApiError } from '../api/errors.ts'
import { finishGate, gateReason, noteUser, pageUser, subscribeGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'
import { lazyPart } from '../kit/lazy-part.tsx'

const RenewalDialog = lazyPart(() => import('./renewal-dialog.tsx'), 'RenewalDialog')
const SwitchedDialog = lazyPart(() => import('./renewal-dialog.tsx'), 'SwitchedDialog')

/** Asks for a sign-in over the page when a request needs one; the request goes on afterwards. */
export function SessionRenewal() {
  const reason = useSyncExternalStore(subscribeGate, gateReason)
  const queryClient = useQueryClient()
  const [error, setError] = useState<unknown>(null)
  if (reason === null) return null
  const email = pageUser()?.email ?? ''
  const goOn = async () => {
    setError(null)
    try {
      await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 })
      if (gateReason() !== 'another-user') finishGate(true)
    } catch (thrown) {
      // The request names the workspace of the page.
      if (thrown instanceof ApiError && thrown.status === 403) noteUser(null)
      else setError(thrown)
    }
  }
  if (reason === 'another-user') return <SwitchedDialog email={email} />
  return (
    <RenewalDialog
      reason={reason}
      email={email}
      error={error}
      onSignedIn={() => void goOn()}
      onClose={() => finishGate(false)}
    />
  )
}
