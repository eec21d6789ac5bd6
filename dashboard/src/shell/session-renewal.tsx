import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'
import { ApiError } from '../api/errors.ts'
import { finishGate, gateReason, noteUser, pageUser, subscribeGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'

const RenewalDialog = lazy(() =>
  import('./renewal-dialog.tsx').then(({ RenewalDialog: component }) => ({ default: component })),
)
const SwitchedDialog = lazy(() =>
  import('./renewal-dialog.tsx').then(({ SwitchedDialog: component }) => ({ default: component })),
)

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
  return (
    <Suspense fallback={null}>
      {reason === 'another-user' ? (
        <SwitchedDialog email={email} />
      ) : (
        <RenewalDialog
          reason={reason}
          email={email}
          error={error}
          onSignedIn={() => void goOn()}
          onClose={() => finishGate(false)}
        />
      )}
    </Suspense>
  )
}
