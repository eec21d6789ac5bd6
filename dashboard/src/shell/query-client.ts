import { MutationCache, QueryClient, type MutationMeta } from '@tanstack/react-query'
import { ApiError } from '../api/errors.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/shared.ts'

const FRESH_MS = 10_000
const MAX_RETRIES = 3

/** Statuses of a refusal that tell that the page is out of date. */
const OUTDATED = [404, 409, 412]

/** What a change made stale is read again before it counts as done. */
const mutationCache = new MutationCache({
  onSuccess: (_result, _args, _context, { meta }) => refresh(meta),
  onError: (error, _args, _context, { meta }) => {
    const known = error instanceof ApiError ? error : null
    if (meta?.tellsErrors) showToast(known?.message ?? text.errors.unexpected, { isError: true })
    if (known && (OUTDATED.includes(known.status) || known.status >= 500)) void refresh(meta)
  },
})

function refresh(meta: MutationMeta | undefined): Promise<unknown> {
  const keys = meta?.refreshes ?? []
  return Promise.all(keys.map((queryKey) => queryClient.invalidateQueries({ queryKey })))
}

/** Answers stay shown while the server is away; failures that a repetition can cure are repeated. */
export const queryClient = new QueryClient({
  mutationCache,
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
