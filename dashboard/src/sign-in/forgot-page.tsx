import { Link } from '@tanstack/react-router'
import { auth, dataOf } from '../api/client.ts'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/sign-in.ts'
import { Door } from './door.tsx'

/** Asks for a mail, whose link opens a page of the server that sets a new password. */
export function ForgotPage() {
  const form = useForm({
    start: () => ({ email: '' }),
    save: (body) => dataOf(auth.POST('/auth/request-password-reset', { body })),
  })
  const waitSeconds = useRetryWait(form.refusal)
  const foot = <Link to="/sign-in">{text.signIn.submit}</Link>
  if (form.saved)
    return (
      <Door title={text.signUp.mailTitle} foot={foot}>
        <p>{text.forgot.sent(form.draft.email)}</p>
        <MailNote />
      </Door>
    )
  return (
    <Door title={text.forgot.title} foot={foot}>
      <PageForm
        form={form}
        action={text.forgot.submit}
        isWide
        button={{ look: 'primary', disabled: waitSeconds > 0 }}
      >
        <TextField
          label={text.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          {...form.field('email')}
        />
      </PageForm>
    </Door>
  )
}
