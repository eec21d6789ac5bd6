import { useSuspenseQuery } from '@tanstack/react-query'
import { auth, dataOf, type AuthSchemas } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { MailNote } from '../kit/mail-note.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { PreferencesForm } from './preferences-form.tsx'
import { PasswordField, Section } from './section.tsx'

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

function NameForm({ user: { name } }: { user: User }) {
  const form = useForm({
    start: () => ({ name }),
    save: (body) => dataOf(auth.PATCH('/auth/user', { body })),
    refreshes: [sessionQuery.queryKey],
    told: () => text.account.saved,
  })
  return (
    <Section title={text.account.name}>
      <PageForm
        form={form}
        action={text.actions.save}
        button={{ disabled: form.draft.name === name }}
      >
        <TextField
          label={text.account.yourName}
          hint={text.account.nameHint}
          name="name"
          autoComplete="name"
          required
          {...form.field('name')}
        />
      </PageForm>
    </Section>
  )
}

/** The new address works once both addresses have opened the link of their mail. */
function EmailForm({ user }: { user: User }) {
  const form = useForm({
    start: () => ({ newEmail: '', password: '' }),
    save: async ({ newEmail, password }) => {
      const body = { newEmail, ...(user.hasPassword ? { password } : {}) }
      await dataOf(auth.POST('/auth/change-email', { body }))
      return newEmail
    },
    onSaved: () => {
      form.change({ newEmail: '', password: '' })
    },
  })
  return (
    <Section title={text.account.email} note={text.account.emailNow(user.email)}>
      <PageForm
        form={form}
        action={text.account.changeEmail}
        button={{ icon: 'mail' }}
        foot={
          form.saved && (
            <>
              <p role="status" className="text-sm">
                {text.account.emailSent(user.email, form.saved)}
              </p>
              <MailNote />
            </>
          )
        }
      >
        <TextField
          label={text.account.newEmail}
          type="email"
          name="email"
          autoComplete="email"
          required
          {...form.field('newEmail')}
        />
        {user.hasPassword && <PasswordField {...form.field('password')} />}
      </PageForm>
    </Section>
  )
}
