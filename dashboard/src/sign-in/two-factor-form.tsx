import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { text } from '../text/en.ts'

/** The code of an authenticator app, or one of the backup codes. */
export function TwoFactorForm({
  onDone,
  onRestart,
}: {
  onDone: () => void
  /** Back to the password: after too many wrong codes, or five minutes, the sign-in is void. */
  onRestart?: () => void
}) {
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => ask(auth.POST('/auth/two-factor/verify', { body: { code: code.trim() } })),
    onSuccess: onDone,
  })
  const waitSeconds = useRetryWait(verify.error)
  const errors = verify.error instanceof ApiError ? verify.error.fieldErrors : {}
  return (
    <form
      className="flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault()
        verify.mutate()
      }}
    >
      <TextField
        label={text.signIn.code}
        hint={text.signIn.codeHint}
        name="code"
        autoComplete="one-time-code"
        inputMode="text"
        required
        autoFocus
        value={code}
        onValue={setCode}
        error={errors.code}
      />
      {!errors.code && <ErrorNote error={verify.error} />}
      <Button type="submit" look="primary" isBusy={verify.isPending} disabled={waitSeconds > 0}>
        {text.signIn.verify}
      </Button>
      {verify.error && onRestart && <Button onClick={onRestart}>{text.signIn.again}</Button>}
    </form>
  )
}
