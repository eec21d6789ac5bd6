import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { providersQuery } from '../api/providers.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useRetryWait } from '../kit/retry-wait.ts'
import { text } from '../text/en.ts'
import { Door } from './door.tsx'
import { invitationPath } from './invitation-path.ts'

/** Until the server has told its own. */
const MIN_PASSWORD_CHARS = 10

type Account = { name: string; email: string; password: string }

/** Signs up, with the invitation that led here. */
function useSignUp(account: Account) {
  const search = useSearch({ from: '/door/sign-up' })
  const { invitation } = search
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => {
      const body = invitation === undefined ? account : { ...account, invitationToken: invitation }
      return dataOf(auth.POST('/auth/sign-up/email', { body }))
    },
    onSuccess: ({ verificationRequired, signedIn, invitationRefused }) => {
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
  const [name, setName] = useState('')
  const [email, setEmail] = useState(invited)
  const [password, setPassword] = useState('')
  const signUp = useSignUp({ name, email, password })
  const providers = useQuery(providersQuery)
  const settings = providers.data?.meta
  const waitSeconds = useRetryWait(signUp.error)
  const fieldErrors = signUp.error instanceof ApiError ? signUp.error.fieldErrors : {}
  if (signUp.data?.verificationRequired)
    return (
      <MailSent
        email={email}
        needsInvitation={signUp.data.invitationRequired}
        hasOutbox={settings?.mail === 'outbox'}
      />
    )
  if (settings?.signup === 'closed') return <SignUpClosed />
  return (
    <Door title={text.signUp.title} foot={<ToSignIn search={search} />}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          signUp.mutate()
        }}
      >
        {settings?.signup === 'invite' && <p className="text-sm text-soft">{text.signIn.invite}</p>}
        <TextField
          label={text.signUp.name}
          name="name"
          autoComplete="name"
          required
          value={name}
          onValue={setName}
          error={fieldErrors.name}
        />
        <TextField
          label={text.signIn.email}
          type="email"
          name="email"
          autoComplete="username"
          required
          readOnly={invitation !== undefined && invited !== ''}
          hint={invitation === undefined ? undefined : text.signUp.invitedHint}
          value={email}
          onValue={setEmail}
          error={fieldErrors.email}
        />
        <TextField
          label={text.signIn.password}
          type="password"
          name="password"
          autoComplete="new-password"
          required
          hint={text.signUp.passwordLength(settings?.password.minLength ?? MIN_PASSWORD_CHARS)}
          value={password}
          onValue={setPassword}
          error={fieldErrors.password}
        />
        {Object.keys(fieldErrors).length === 0 && <ErrorNote error={signUp.error} />}
        <Button type="submit" look="primary" isBusy={signUp.isPending} disabled={waitSeconds > 0}>
          {invitation === undefined ? text.signUp.submit : text.signUp.submitInvited}
        </Button>
      </form>
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
  const resend = useMutation({
    mutationFn: () => dataOf(auth.POST('/auth/send-verification-email', { body: { email } })),
  })
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
