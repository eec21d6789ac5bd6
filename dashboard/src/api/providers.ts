import { queryOptions } from '@tanstack/react-query'
import { ask, auth } from './client.ts'

/** The providers that the operator has set up, and in `meta` who may sign up and how. */
export const providersQuery = queryOptions({
  queryKey: ['sign-in-providers'],
  queryFn: ({ signal }) => ask(auth.GET('/auth/providers', { signal })),
  staleTime: Infinity,
})
