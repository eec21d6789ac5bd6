import { queryOptions } from '@tanstack/react-query'
import { ask, auth, dataOf, type AuthSchemas } from '../api/client.ts'

export type Preferences = AuthSchemas['Preferences']
export type SessionEntry = AuthSchemas['SessionEntry']
export type Passkey = AuthSchemas['Passkey']

const ALL = { params: { query: { limit: 100 } } } as const

export const sessionsQuery = queryOptions({
  queryKey: ['account', 'sessions'],
  queryFn: ({ signal }) =>
    ask(auth.GET('/auth/sessions', { ...ALL, signal })).then(({ data }) => data),
})

export const twoFactorQuery = queryOptions({
  queryKey: ['account', 'two-factor'],
  queryFn: ({ signal }) => dataOf(auth.GET('/auth/two-factor', { signal })),
})

export const passkeysQuery = queryOptions({
  queryKey: ['account', 'passkeys'],
  queryFn: ({ signal }) =>
    ask(auth.GET('/auth/passkeys', { ...ALL, signal })).then(({ data }) => data),
})

export const linkedAccountsQuery = queryOptions({
  queryKey: ['account', 'linked'],
  queryFn: ({ signal }) =>
    ask(auth.GET('/auth/accounts', { ...ALL, signal })).then(({ data }) => data),
})

/** @throws ApiError; DOMException NotAllowedError when the user cancels */
export async function addPasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await dataOf(auth.POST('/auth/passkeys/register/options'))
  const response = await startRegistration({ optionsJSON: optionsJSON as never })
  await dataOf(
    auth.POST('/auth/passkeys/register/verify', { body: { name, response: response as never } }),
  )
}
