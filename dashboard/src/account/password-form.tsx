import { auth, dataOf } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { TextField } from '../kit/field.tsx'
import { PageForm } from '../kit/page-form.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/account.ts'
import { PasswordField, Section } from './section.tsx'

/** A new password ends every other session. An account of a provider may set its first one. */
export function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const form = useForm({
    start: () => ({ currentPassword: '', newPassword: '' }),
    save: ({ currentPassword, newPassword }) => {
      const body = { newPassword, ...(hasPassword ? { currentPassword } : {}) }
      return dataOf(auth.POST('/auth/change-password', { body }))
    },
    refreshes: [sessionQuery.queryKey, ['account']],
    told: () => text.account.passwordChanged,
    onSaved: () => {
      form.change({ currentPassword: '', newPassword: '' })
    },
  })
  return (
    <Section
      title={text.account.password}
      note={hasPassword ? text.account.passwordNote : text.account.passwordNone}
    >
      <PageForm
        form={form}
        action={hasPassword ? text.account.changePassword : text.account.setPassword}
      >
        <input type="text" hidden name="username" autoComplete="username" value={email} readOnly />
        {hasPassword && <PasswordField {...form.field('currentPassword')} />}
        <TextField
          label={text.account.newPassword}
          hint={text.signUp.passwordHint}
          type="password"
          name="new-password"
          autoComplete="new-password"
          required
          {...form.field('newPassword')}
        />
      </PageForm>
    </Section>
  )
}
