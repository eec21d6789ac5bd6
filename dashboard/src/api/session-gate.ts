/**
 * Holds requests that need a new sign-in until the user has signed in over the page, so that a
 * session that ends in the middle of an edit loses nothing.
 */
export type GateReason = 'signed-out' | 'not-fresh'
type Listener = () => void

let reason: GateReason | null = null
let waiting: { promise: Promise<boolean>; finish: (signedIn: boolean) => void } | null = null
let isOpen = false
const listeners = new Set<Listener>()

/** Pages without a session (sign-in, sign-up) turn the gate off: there a 401 is an answer. */
export function setGateEnabled(enabled: boolean): void {
  isOpen = enabled
}

export function isGateEnabled(): boolean {
  return isOpen
}

/** Resolves when the user has signed in again (true) or has given up (false). */
export function waitForSignIn(because: GateReason): Promise<boolean> {
  if (!waiting) {
    let finish!: (signedIn: boolean) => void
    const promise = new Promise<boolean>((resolve) => (finish = resolve))
    waiting = { promise, finish }
    reason = because
    for (const listener of listeners) listener()
  }
  return waiting.promise
}

export function finishGate(signedIn: boolean): void {
  waiting?.finish(signedIn)
  waiting = null
  reason = null
  for (const listener of listeners) listener()
}

export function subscribeGate(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Why a sign-in is asked for; null: it is not. */
export function gateReason(): GateReason | null {
  return reason
}
