import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { auth, dataOf } from '../api/client.ts'
import { providersQuery } from '../api/providers.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/sign-in.ts'
import { Door } from './door.tsx'
import { invitationPath } from './invitation-path.ts'

/** Until the server has told its own. */
const MIN_PASSWORD_CHARS = 10

/** Signs up, with the invitation that led here. */
function useSignUp() {
  const search = useSearch({ from: '/door/sign-up' })
  const { invitation, email = '' } = search
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useForm({
    start: () => ({ name: '', email, password: '' }),
    save: (account) => {
      const body = invitation === undefined ? account : { ...account, invitationToken: invitation }
      return dataOf(auth.POST('/auth/sign-up/email', { body }))
    },
    onSaved: ({ verificationRequired, signedIn, invitationRefused }) => {
      if (signedIn && invitation !== undefined && invitationRefused !== undefined)
        return location.assign(invitationPath(invitation))
      queryClient.clear()
      if (signedIn) void navigate({ to: '/' })
      else if (!verificationRequired) void navigate({ to: '/sign-in', search })
    },
  })
}

/** A new account; the link in its mail opens a page of the server, which signs the user in. */
export function SignUpPage() {
  const search = useSearch({ from: '/door/sign-up' })
  const { invitation, email: invited = '' } = search
  const form = useSignUp()
  const providers = useQuery(providersQuery)
  const settings = providers.data?.meta
  const waitSeconds = useRetryWait(form.refusal)
  if (form.saved?.verificationRequired)
    return (
      <MailSent
        email={form.draft.email}
        needsInvitation={form.saved.invitationRequired}
        hasOutbox={settings?.mail === 'outbox'}
      />
    )
  if (settings?.signup === 'closed') return <SignUpClosed />
  return (
    <Door title={text.signUp.title} foot={<ToSignIn search={search} />}>
      <PageForm
        form={form}
        action={invitation === undefined ? text.signUp.submit : text.signUp.submitInvited}
        isWide
        button={{ look: 'primary', disabled: waitSeconds > 0 }}
      >
        {settings?.signup === 'invite' && <p className="text-sm text-soft">{text.signIn.invite}</p>}
        <TextField
          label={text.signUp.name}
          name="name"
          autoComplete="name"
          required
          {...form.field('name')}
        />
        <TextField
          label={text.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          readOnly={invitation !== undefined && invited !== ''}
          hint={invitation === undefined ? undefined : text.signUp.invitedHint}
          {...form.field('email')}
        />
        <TextField
          label={text.signIn.password}
          type="password"
          name="password"
          autoComplete="new-password"
          required
          hint={text.signUp.passwordLength(settings?.password.minLength ?? MIN_PASSWORD_CHARS)}
          {...form.field('password')}
        />
      </PageForm>
    </Door>
  )
}

function ToSignIn({ search }: { search: object }) {
  return (
    <>
      {text.signUp.hasAccount}{' '}
      <Link to="/sign-in" search={search}>
        {text.signIn.submit}
      </Link>
    </>
  )
}

function SignUpClosed() {
  return (
    <Door title={text.signUp.closedTitle} foot={<Link to="/sign-in">{text.signIn.submit}</Link>}>
      <p>{text.signIn.closed}</p>
    </Door>
  )
}

function MailSent({
  email,
  needsInvitation,
  hasOutbox,
}: {
  email: string
  needsInvitation: boolean
  hasOutbox: boolean
}) {
  const resend = useAction(
    () => dataOf(auth.POST('/auth/send-verification-email', { body: { email } })),
    { showsErrors: true },
  )
  return (
    <Door title={text.signUp.mailTitle} foot={<Link to="/sign-in">{text.signIn.submit}</Link>}>
      <p>{hasOutbox ? text.signUp.mailWritten(email) : text.signUp.mailSent(email)}</p>
      {needsInvitation && <p className="text-soft">{text.signUp.invitationNeeded}</p>}
      <MailNote />
      <ErrorNote error={resend.error} />
      <Button icon="mail" isBusy={resend.isPending} onClick={() => resend.mutate()}>
        {resend.isSuccess ? text.signIn.sentAgain : text.signIn.sendAgain}
      </Button>
    </Door>
  )
}
