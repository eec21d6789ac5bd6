import type { ReactNode } from 'react'
import { TextField } from '../kit/field.tsx'
import { Card } from '../kit/layout.tsx'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/account.ts'

/** A part of the account with its own action. */
export function Section({
  title,
  note,
  children,
}: {
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4 px-4 pt-1 pb-4">
        {note && <p className="text-sm text-soft">{note}</p>}
        {children}
      </div>
    </Card>
  )
}

/** The present password, which a change of the account asks for. */
export function PasswordField(field: Bound<string> & { autoFocus?: boolean }) {
  return (
    <TextField
      label={text.account.currentPassword}
      type="password"
      name="current-password"
      autoComplete="current-password"
      required
      {...field}
    />
  )
}
