import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { text } from '../text/en.ts'
import { Door } from './door.tsx'

/** Asks for a mail, whose link opens a page of the server that sets a new password. */
export function ForgotPage() {
  const [email, setEmail] = useState('')
  const request = useMutation({
    mutationFn: () => dataOf(auth.POST('/auth/request-password-reset', { body: { email } })),
  })
  const waitSeconds = useRetryWait(request.error)
  const fieldErrors = request.error instanceof ApiError ? request.error.fieldErrors : {}
  const foot = <Link to="/sign-in">{text.signIn.submit}</Link>
  if (request.data)
    return (
      <Door title={text.signUp.mailTitle} foot={foot}>
        <p>{text.forgot.sent(email)}</p>
        <MailNote />
      </Door>
    )
  return (
    <Door title={text.forgot.title} foot={foot}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          request.mutate()
        }}
      >
        <TextField
          label={text.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          value={email}
          onValue={setEmail}
          error={fieldErrors.email}
        />
        {Object.keys(fieldErrors).length === 0 && <ErrorNote error={request.error} />}
        <Button type="submit" look="primary" isBusy={request.isPending} disabled={waitSeconds > 0}>
          {text.forgot.submit}
        </Button>
      </form>
    </Door>
  )
}
