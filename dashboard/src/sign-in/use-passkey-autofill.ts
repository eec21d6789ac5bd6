import { useEffect, useRef } from 'react'
import { signInWithPasskey, type SignInAnswer } from './queries.ts'

/** Offers passkeys among the suggestions of the e-mail field, where the browser can. */
export function usePasskeyAutofill(isOn: boolean, onDone: (answer: SignInAnswer) => void): void {
  const done = useRef(onDone)
  useEffect(() => {
    done.current = onDone
  })
  useEffect(() => {
    if (!isOn) return
    let isOver = false
    const offer = async () => {
      const browser = await import('@simplewebauthn/browser')
      if (isOver || !(await browser.browserSupportsWebAuthnAutofill())) return
      const answer = await signInWithPasskey({ isAutofill: true })
      if (!isOver) done.current(answer)
    }
    // The user chose another way, or the ceremony ran out: the button is there still.
    offer().catch(() => undefined)
    return () => {
      isOver = true
      void import('@simplewebauthn/browser').then(({ WebAuthnAbortService }) =>
        WebAuthnAbortService.cancelCeremony(),
      )
    }
  }, [isOn])
}
