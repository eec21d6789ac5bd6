import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { providersQuery } from '../api/providers.ts'
import { text } from '../text/en.ts'
import { Door } from './door.tsx'
import { SignInForm } from './sign-in-form.tsx'
import { TwoFactorForm } from './two-factor-form.tsx'

export function SignInPage() {
  const { next } = useSearch({ from: '/door/sign-in' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const providers = useQuery(providersQuery)
  const [needsCode, setNeedsCode] = useState(false)
  const enter = async () => {
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
              <Link to="/sign-up" search={next ? { next } : {}}>
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
        returnPath={`/app${next ?? '/'}`}
        onDone={({ twoFactorRequired }) => (twoFactorRequired ? setNeedsCode(true) : void enter())}
      />
    </Door>
  )
}
