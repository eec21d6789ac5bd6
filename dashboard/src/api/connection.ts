/**
 * Whether the server answers. Once a request got no answer, this tab asks on its own until there is
 * one, so that a page which only waits recovers too.
 */
type Listener = () => void

const ASK_EVERY_MS = 2_000
/** Statuses with which a proxy answers while the server behind it is away. */
const PROXY_STATUSES = [502, 504]

let isAway = false
const listeners = new Set<Listener>()

export function isServerAway(): boolean {
  return isAway
}

export function subscribeConnection(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** To be told of each request; null: it got no answer. */
export function noteAnswer(response: Response | null): void {
  const wasAway = isAway
  isAway = response === null || PROXY_STATUSES.includes(response.status)
  if (isAway === wasAway) return
  if (isAway) void askUntilAnswered()
  for (const listener of listeners) listener()
}

async function askUntilAnswered(): Promise<void> {
  while (isAway) {
    await new Promise((resolve) => setTimeout(resolve, ASK_EVERY_MS))
    if (isAway) noteAnswer(await fetch('/v1/auth/session?optional=true').catch(() => null))
  }
}

/** Repeats a download that got no answer once the server answers. */
export async function whenAnswered<T>(download: () => Promise<T>): Promise<T> {
  try {
    return await download()
  } catch {
    noteAnswer(null)
    await new Promise<void>((resolve) => {
      const unsubscribe = subscribeConnection(() => {
        unsubscribe()
        resolve()
      })
    })
    return download()
  }
}
