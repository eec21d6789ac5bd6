import { useState } from 'react'
import type { GateReason } from '../api/session-gate.ts'
import { Popup } from '../kit/drawer.tsx'
import { text } from '../text/en.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { TwoFactorForm } from '../sign-in/two-factor-form.tsx'

/** A sign-in over the page: a password or a passkey, then the second factor if there is one. */
export function RenewalDialog({
  reason,
  email,
  onDone,
}: {
  reason: GateReason
  email: string
  onDone: (signedIn: boolean) => void
}) {
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <Popup title={text.session.title[reason]} onClose={() => onDone(false)}>
      <p className="text-sm text-soft">{text.session.explain[reason]}</p>
      {needsCode ? (
        <TwoFactorForm onDone={() => onDone(true)} onRestart={() => setNeedsCode(false)} />
      ) : (
        <SignInForm
          email={email}
          returnPath={location.pathname + location.search}
          onDone={({ twoFactorRequired }) =>
            twoFactorRequired ? setNeedsCode(true) : onDone(true)
          }
        />
      )}
    </Popup>
  )
}
