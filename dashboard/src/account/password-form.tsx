import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { auth, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { refreshSession } from './queries.ts'
import { Section } from './section.tsx'

/** A new password ends every other session. An account of a provider may set its first one. */
export function PasswordForm({ hasPassword, email }: { hasPassword: boolean; email: string }) {
  const [currentPassword, setCurrentPassword] = useState('')
  const [newPassword, setNewPassword] = useState('')
  const queryClient = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      dataOf(
        auth.POST('/auth/change-password', {
          body: { newPassword, ...(hasPassword ? { currentPassword } : {}) },
        }),
      ),
    onSuccess: async () => {
      setCurrentPassword('')
      setNewPassword('')
      showToast(text.account.passwordChanged)
      await Promise.all([
        refreshSession(queryClient),
        queryClient.invalidateQueries({ queryKey: ['account'] }),
      ])
    },
  })
  const errors = change.error instanceof ApiError ? change.error.fieldErrors : {}
  return (
    <Section
      title={text.account.password}
      note={hasPassword ? text.account.passwordNote : text.account.passwordNone}
    >
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          change.mutate()
        }}
      >
        <input type="text" hidden name="username" autoComplete="username" value={email} readOnly />
        {hasPassword && (
          <TextField
            label={text.account.currentPassword}
            type="password"
            name="current-password"
            autoComplete="current-password"
            required
            value={currentPassword}
            onValue={setCurrentPassword}
            error={errors.currentPassword}
          />
        )}
        <TextField
          label={text.account.newPassword}
          hint={text.signUp.passwordHint}
          type="password"
          name="new-password"
          autoComplete="new-password"
          required
          value={newPassword}
          onValue={setNewPassword}
          error={errors.newPassword}
        />
        {Object.keys(errors).length === 0 && <ErrorNote error={change.error} />}
        <div>
          <Button type="submit" isBusy={change.isPending}>
            {hasPassword ? text.account.changePassword : text.account.setPassword}
          </Button>
        </div>
      </form>
    </Section>
  )
}
