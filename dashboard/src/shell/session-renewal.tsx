import { useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useSyncExternalStore } from 'react'
import { finishGate, gateReason, subscribeGate } from '../api/session-gate.ts'
import { sessionQuery } from '../api/session.ts'

const RenewalDialog = lazy(() =>
  import('./renewal-dialog.tsx').then(({ RenewalDialog: component }) => ({ default: component })),
)

/** Asks for a sign-in over the page when a request needs one; the request goes on afterwards. */
export function SessionRenewal() {
  const reason = useSyncExternalStore(subscribeGate, gateReason)
  const queryClient = useQueryClient()
  if (reason === null) return null
  const finish = (signedIn: boolean) => {
    finishGate(signedIn)
    if (signedIn) void queryClient.invalidateQueries(sessionQuery)
  }
  return (
    <Suspense fallback={null}>
      <RenewalDialog
        reason={reason}
        email={queryClient.getQueryData(sessionQuery.queryKey)?.user.email ?? ''}
        onDone={finish}
      />
    </Suspense>
  )
}
