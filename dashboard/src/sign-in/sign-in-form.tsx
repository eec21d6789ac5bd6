import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { providersQuery } from '../api/providers.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { text } from '../text/en.ts'
import { signInWithPasskey, type SignInAnswer } from './queries.ts'
import { usePasskeyAutofill } from './use-passkey-autofill.ts'

/** E-mail and password, a passkey, or a provider. */
export function SignInForm({
  email: known = '',
  returnPath = '/app/',
  hasAutofill = false,
  onDone,
}: {
  email?: string
  /** Path to which a provider sends the browser back. */
  returnPath?: string
  /** Offers passkeys in the e-mail field; one form of a page at a time can. */
  hasAutofill?: boolean
  onDone: (answer: SignInAnswer) => void
}) {
  const [email, setEmail] = useState(known)
  const [password, setPassword] = useState('')
  const { providers, signIn, passkey, resend, hasPasskeys } = useSignIn(
    { email, password },
    hasAutofill,
    onDone,
  )
  const isCanceled = passkey.error?.name === 'NotAllowedError'
  const error = signIn.error ?? (isCanceled ? null : passkey.error) ?? resend.error
  const waitSeconds = useRetryWait(error)
  const isUnverified = error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED'
  const fieldErrors = error instanceof ApiError ? error.fieldErrors : {}
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        signIn.mutate()
      }}
    >
      <TextField
        label={text.signIn.email}
        type="email"
        name="email"
        autoComplete="username webauthn"
        required
        value={email}
        onValue={setEmail}
        error={fieldErrors.email}
      />
      <TextField
        label={text.signIn.password}
        type="password"
        name="password"
        autoComplete="current-password"
        required
        value={password}
        onValue={setPassword}
        error={fieldErrors.password}
      />
      <ErrorNote error={error} />
      {isUnverified && (
        <Button icon="mail" isBusy={resend.isPending} onClick={() => resend.mutate()}>
          {resend.isSuccess ? text.signIn.sentAgain : text.signIn.sendAgain}
        </Button>
      )}
      {resend.isSuccess && <MailNote />}
      <Button type="submit" look="primary" isBusy={signIn.isPending} disabled={waitSeconds > 0}>
        {text.signIn.submit}
      </Button>
      {hasPasskeys && (
        <Button icon="fingerprint" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          {text.signIn.passkey}
        </Button>
      )}
      <ProviderLinks providers={providers.data?.data ?? []} returnPath={returnPath} />
    </form>
  )
}

type Account = { email: string; password: string }

/** The ways to sign in. None is offered again after one has succeeded, while the next page loads. */
function useSignIn(
  { email, password }: Account,
  hasAutofill: boolean,
  onDone: (answer: SignInAnswer) => void,
) {
  const [isSignedIn, setSignedIn] = useState(false)
  const finish = (answer: SignInAnswer) => {
    setSignedIn(true)
    onDone(answer)
  }
  const providers = useQuery(providersQuery)
  const signIn = useMutation({
    mutationFn: () => dataOf(auth.POST('/auth/sign-in/email', { body: { email, password } })),
    onSuccess: finish,
  })
  const passkey = useMutation({ mutationFn: signInWithPasskey, onSuccess: finish })
  const resend = useMutation({
    mutationFn: () => dataOf(auth.POST('/auth/send-verification-email', { body: { email } })),
  })
  const hasPasskeys =
    'PublicKeyCredential' in globalThis && (providers.data?.meta.passkeys ?? false)
  // A second sign-in would end the session of the first.
  usePasskeyAutofill(hasPasskeys && hasAutofill && !isSignedIn, finish)
  return { providers, signIn, passkey, resend, hasPasskeys }
}

function ProviderLinks({
  providers,
  returnPath,
}: {
  providers: readonly { id: string; name: string }[]
  returnPath: string
}) {
  return providers.map(({ id, name }) => (
    <a
      key={id}
      className={buttonClass('plain')}
      href={`/v1/auth/sign-in/${id}?redirect=${encodeURIComponent(returnPath)}`}
    >
      {text.signIn.provider(name)}
    </a>
  ))
}
