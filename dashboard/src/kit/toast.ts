/** A short message; with `undo`, an offer to take the change back. */
export type Toast = {
  id: number
  message: string
  undo: (() => void) | null
  isError: boolean
}

const SHOWN_MS = 10_000

let toasts: readonly Toast[] = []
let nextId = 1
const listeners = new Set<() => void>()

function publish(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a message for ten seconds. */
export function showToast(
  message: string,
  { undo = null, isError = false }: { undo?: (() => void) | null; isError?: boolean } = {},
): void {
  const toast: Toast = { id: nextId++, message, undo, isError }
  publish([...toasts.slice(-2), toast])
  setTimeout(() => dismissToast(toast.id), SHOWN_MS)
}

export function dismissToast(id: number): void {
  publish(toasts.filter((toast) => toast.id !== id))
}

/** Takes back the latest change that offers it. */
export function undoLatest(): void {
  const latest = toasts.findLast(({ undo }) => undo !== null)
  if (!latest) return
  dismissToast(latest.id)
  latest.undo?.()
}

export function subscribeToasts(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function listToasts(): readonly Toast[] {
  return toasts
}
