import { ask, auth } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/sign-in.ts'

/** The code of an authenticator app, or one of the backup codes. */
export function TwoFactorForm({
  onDone,
  onRestart,
}: {
  onDone: () => void
  /** Back to the password: after too many wrong codes, or five minutes, the sign-in is void. */
  onRestart?: () => void
}) {
  const form = useForm({
    start: () => ({ code: '' }),
    save: ({ code }) => ask(auth.POST('/auth/two-factor/verify', { body: { code: code.trim() } })),
    refreshes: [],
    onSaved: onDone,
  })
  const waitSeconds = useRetryWait(form.refusal)
  return (
    <>
      <PageForm
        form={form}
        action={text.signIn.verify}
        isWide
        button={{ look: 'primary', disabled: waitSeconds > 0 }}
      >
        <TextField
          label={text.signIn.code}
          hint={text.signIn.codeHint}
          name="code"
          autoComplete="one-time-code"
          inputMode="text"
          required
          autoFocus
          {...form.field('code')}
        />
      </PageForm>
      {form.refusal && onRestart && <Button onClick={onRestart}>{text.signIn.again}</Button>}
    </>
  )
}
