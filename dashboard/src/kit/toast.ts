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
/** Ends of the messages that are shown; none while a message is held. */
const timers = new Map<number, ReturnType<typeof setTimeout>>()
let isHeld = false
const listeners = new Set<() => void>()

function publish(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Shows a message for ten seconds, not counting the time in which one is held. */
export function showToast(
  message: string,
  { undo = null, isError = false }: { undo?: (() => void) | null; isError?: boolean } = {},
): void {
  const toast: Toast = { id: nextId++, message, undo, isError }
  publish([...toasts.slice(-2), toast])
  if (!isHeld) startTimer(toast.id)
}

function startTimer(id: number): void {
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_MS),
  )
}

/** Keeps messages while one of them is pointed at or has the focus, so that a slow reader can still act. */
export function holdToasts(hold: boolean): void {
  isHeld = hold
  for (const timer of timers.values()) clearTimeout(timer)
  timers.clear()
  if (!hold) for (const { id } of toasts) startTimer(id)
}

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id))
  timers.delete(id)
  publish(toasts.filter((toast) => toast.id !== id))
  // A message that is gone does not report that the pointer has left it.
  if (isHeld) holdToasts(false)
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
