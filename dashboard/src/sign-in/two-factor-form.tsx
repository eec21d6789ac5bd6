import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { ask, auth } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'

/** The code of an authenticator app, or one of the backup codes. */
export function TwoFactorForm({ onDone }: { onDone: () => void }) {
  const [code, setCode] = useState('')
  const verify = useMutation({
    mutationFn: () => ask(auth.POST('/auth/two-factor/verify', { body: { code: code.trim() } })),
    onSuccess: onDone,
  })
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
      />
      <ErrorNote error={verify.error} />
      <Button type="submit" look="primary" isBusy={verify.isPending}>
        {text.signIn.verify}
      </Button>
    </form>
  )
}
