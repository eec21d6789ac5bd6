import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'

const FRESH_MS = 10_000
const MAX_RETRIES = 3

/** Answers stay shown while the server is away; failures that a repetition can cure are repeated. */
export const queryClient = new QueryClient({
  defaultOptions: {
    // Without a network a request fails and says so, instead of waiting silently for one.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_RETRIES && isTemporary(error),
    },
  },
})

function isTemporary(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false
  return error.status === 0 || error.status === 429 || error.status >= 500
}
