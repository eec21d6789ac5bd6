import { auth, dataOf, type AuthSchemas } from '../api/client.ts'

export type SignInAnswer = AuthSchemas['SignInResult']

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
