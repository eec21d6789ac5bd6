import { useState } from 'react'
import type { GateReason } from '../api/session-gate.ts'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { text } from '../text/sign-in.ts'
import { SignInForm } from '../sign-in/sign-in-form.tsx'
import { TwoFactorForm } from '../sign-in/two-factor-form.tsx'

/** A sign-in over the page: a password or a passkey, then the second factor if there is one. */
export function RenewalDialog({
  reason,
  email,
  error,
  onSignedIn,
  onClose,
}: {
  reason: GateReason
  email: string
  /** The error that keeps the page from continuing after the sign-in. */
  error: unknown
  onSignedIn: () => void
  onClose: () => void
}) {
  const [needsCode, setNeedsCode] = useState(false)
  return (
    <Popup title={text.session.title[reason]} onClose={onClose}>
      <p className="text-sm text-soft">{text.session.explain[reason]}</p>
      {needsCode ? (
        <TwoFactorForm onDone={onSignedIn} onRestart={() => setNeedsCode(false)} />
      ) : (
        <SignInForm
          email={email}
          returnPath={location.pathname + location.search}
          onDone={({ twoFactorRequired }) =>
            twoFactorRequired ? setNeedsCode(true) : onSignedIn()
          }
        />
      )}
      <ErrorNote error={error} />
    </Popup>
  )
}

/** The page of one user in a browser of another: all that is left is to load it again. */
export function SwitchedDialog({ email }: { email: string }) {
  const reload = () => location.assign(import.meta.env.BASE_URL)
  return (
    <Popup
      title={text.session.switched}
      onClose={reload}
      foot={
        <Button look="primary" onClick={reload}>
          {text.session.goOn}
        </Button>
      }
    >
      <p className="text-sm">{text.session.explainSwitched(email)}</p>
    </Popup>
  )
}
