import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { sessionQuery } from '../api/session.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { PreferencesForm } from './preferences-form.tsx'
import { refreshSession } from './queries.ts'
import { Section } from './section.tsx'

type User = AuthSchemas['User']

export function ProfilePage() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  if (!session) return null
  return (
    <>
      <h1 className="text-xl font-bold">{text.account.profile}</h1>
      <NameForm user={session.user} />
      <EmailForm user={session.user} />
      <PreferencesForm preferences={session.preferences} />
    </>
  )
}

function NameForm({ user }: { user: User }) {
  const [name, setName] = useState(user.name)
  const queryClient = useQueryClient()
  const save = useMutation({
    mutationFn: () => dataOf(auth.PATCH('/auth/user', { body: { name } })),
    onSuccess: async () => {
      showToast(text.account.saved)
      await refreshSession(queryClient)
    },
  })
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <Section title={text.account.name}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <TextField
          label={text.account.yourName}
          hint={text.account.nameHint}
          name="name"
          autoComplete="name"
          required
          value={name}
          onValue={setName}
          error={errors.name}
        />
        {!errors.name && <ErrorNote error={save.error} />}
        <div>
          <Button type="submit" isBusy={save.isPending} disabled={name === user.name}>
            {text.actions.save}
          </Button>
        </div>
      </form>
    </Section>
  )
}

/** The new address works once both addresses have opened the link of their mail. */
function EmailForm({ user }: { user: User }) {
  const [newEmail, setNewEmail] = useState('')
  const [password, setPassword] = useState('')
  const change = useMutation({
    mutationFn: (to: string) =>
      dataOf(
        auth.POST('/auth/change-email', {
          body: { newEmail: to, ...(user.hasPassword ? { password } : {}) },
        }),
      ),
    onSuccess: () => {
      setNewEmail('')
      setPassword('')
    },
  })
  const errors = change.error instanceof ApiError ? change.error.fieldErrors : {}
  return (
    <Section title={text.account.email} note={text.account.emailNow(user.email)}>
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate(newEmail)
        }}
      >
        <TextField
          label={text.account.newEmail}
          type="email"
          name="email"
          autoComplete="email"
          required
          value={newEmail}
          onValue={setNewEmail}
          error={errors.newEmail}
        />
        {user.hasPassword && (
          <TextField
            label={text.account.currentPassword}
            type="password"
            name="password"
            autoComplete="current-password"
            required
            value={password}
            onValue={setPassword}
            error={errors.password}
          />
        )}
        {Object.keys(errors).length === 0 && <ErrorNote error={change.error} />}
        {change.isSuccess && (
          <>
            <p role="status" className="text-sm">
              {text.account.emailSent(user.email, change.variables)}
            </p>
            <MailNote />
          </>
        )}
        <div>
          <Button type="submit" icon="mail" isBusy={change.isPending}>
            {text.account.changeEmail}
          </Button>
        </div>
      </form>
    </Section>
  )
}
