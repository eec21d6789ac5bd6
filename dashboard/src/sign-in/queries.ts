import { queryOptions } from '@tanstack/react-query'
import { ask, auth, dataOf, type AuthSchemas } from '../api/client.ts'

export type SignInAnswer = AuthSchemas['SignInResult']

/** The providers that the operator has set up, and in `meta` who may sign up and how. */
export const providersQuery = queryOptions({
  queryKey: ['sign-in-providers'],
  queryFn: ({ signal }) => ask(auth.GET('/auth/providers', { signal })),
  staleTime: Infinity,
})

/** @throws ApiError; DOMException NotAllowedError when the user cancels */
export async function signInWithPasskey({
  isAutofill = false,
}: { isAutofill?: boolean } = {}): Promise<SignInAnswer> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await dataOf(auth.POST('/auth/passkeys/sign-in/options'))
  const response = await startAuthentication({
    optionsJSON: optionsJSON as never,
    useBrowserAutofill: isAutofill,
  })
  return dataOf(
    auth.POST('/auth/passkeys/sign-in/verify', { body: { response: response as never } }),
  )
}
