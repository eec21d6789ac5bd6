import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { providersQuery } from '../api/providers.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/sign-in.ts'
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
  const { providers, form, passkey, resend, hasPasskeys } = useSignIn(known, hasAutofill, onDone)
  const isCanceled = passkey.error?.name === 'NotAllowedError'
  const error = form.refusal ?? (isCanceled ? null : passkey.error) ?? resend.error
  const waitSeconds = useRetryWait(error)
  const isUnverified = error instanceof ApiError && error.code === 'EMAIL_NOT_VERIFIED'
  return (
    <div className="flex flex-col gap-4">
      <PageForm
        form={{ ...form, error }}
        action={text.signIn.submit}
        isWide
        button={{ look: 'primary', disabled: waitSeconds > 0 }}
        foot={
          <>
            {isUnverified && (
              <Button icon="mail" isBusy={resend.isPending} onClick={() => resend.mutate()}>
                {resend.isSuccess ? text.signIn.sentAgain : text.signIn.sendAgain}
              </Button>
            )}
            {resend.isSuccess && <MailNote />}
          </>
        }
      >
        <TextField
          label={text.signIn.email}
          type="email"
          name="email"
          autoComplete="username webauthn"
          required
          {...form.field('email')}
        />
        <TextField
          label={text.signIn.password}
          type="password"
          name="password"
          autoComplete="current-password"
          required
          {...form.field('password')}
        />
      </PageForm>
      {hasPasskeys && (
        <Button icon="fingerprint" isBusy={passkey.isPending} onClick={() => passkey.mutate()}>
          {text.signIn.passkey}
        </Button>
      )}
      <ProviderLinks providers={providers.data?.data ?? []} returnPath={returnPath} />
    </div>
  )
}

/** The ways to sign in. None is offered again after one has succeeded, while the next page loads. */
function useSignIn(known: string, hasAutofill: boolean, onDone: (answer: SignInAnswer) => void) {
  const [isSignedIn, setSignedIn] = useState(false)
  const finish = (answer: SignInAnswer) => {
    setSignedIn(true)
    onDone(answer)
  }
  const providers = useQuery(providersQuery)
  const form = useForm({
    start: () => ({ email: known, password: '' }),
    save: (body) => dataOf(auth.POST('/auth/sign-in/email', { body })),
    onSaved: finish,
  })
  const passkey = useAction(() => signInWithPasskey(), { showsErrors: true, onDone: finish })
  const { email } = form.draft
  const resend = useAction(
    () => dataOf(auth.POST('/auth/send-verification-email', { body: { email } })),
    { showsErrors: true },
  )
  const hasPasskeys =
    'PublicKeyCredential' in globalThis && (providers.data?.meta.passkeys ?? false)
  // A second sign-in would end the session of the first.
  usePasskeyAutofill(hasPasskeys && hasAutofill && !isSignedIn, finish)
  return { providers, form, passkey, resend, hasPasskeys }
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
