import { useSuspenseQuery } from '@tanstack/react-query'
import { sessionQuery } from '../api/session.ts'
import { text } from '../text/account.ts'
import { LinkedAccounts } from './linked-accounts.tsx'
import { Passkeys } from './passkeys.tsx'
import { PasswordForm } from './password-form.tsx'
import { TwoFactor } from './two-factor.tsx'

export function SecurityPage() {
  const { data: session } = useSuspenseQuery(sessionQuery)
  if (!session) return null
  const { hasPassword, email } = session.user
  return (
    <>
      <h1 className="text-xl font-bold">{text.account.security}</h1>
      <PasswordForm hasPassword={hasPassword} email={email} />
      <TwoFactor hasPassword={hasPassword} />
      <Passkeys />
      <LinkedAccounts />
    </>
  )
}
