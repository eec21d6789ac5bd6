import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { providersQuery } from '../api/providers.ts'
import { text } from '../text/sign-in.ts'
import { Door } from './door.tsx'
import { invitationPath } from './invitation-path.ts'
import { SignInForm } from './sign-in-form.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'

export function SignInPage() {
  const search = useSearch({ from: '/door/sign-in' })
  const { next, invitation, email } = search
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const providers = useQuery(providersQuery)
  const [needsCode, setNeedsCode] = useState(false)
  const enter = async () => {
    if (invitation !== undefined) return location.assign(invitationPath(invitation))
    queryClient.clear()
    await navigate({ href: next ?? '/' })
  }
  if (needsCode)
    return (
      <Door title={text.signIn.secondStep}>
        <TwoFactorForm onDone={() => void enter()} onRestart={() => setNeedsCode(false)} />
      </Door>
    )
  return (
    <Door
      title={text.signIn.title}
      foot={
        <>
          {providers.data?.meta.signup !== 'closed' && (
            <>
              {text.signIn.noAccount}{' '}
              <Link to="/sign-up" search={search}>
                {text.signIn.toSignUp}
              </Link>
              <br />
            </>
          )}
          <Link to="/forgot-password">{text.signIn.forgot}</Link>
        </>
      }
    >
      <SignInForm
        hasAutofill
        email={email ?? ''}
        returnPath={invitation === undefined ? `/app${next ?? '/'}` : invitationPath(invitation)}
        onDone={({ twoFactorRequired }) => (twoFactorRequired ? setNeedsCode(true) : void enter())}
      />
    </Door>
  )
}
