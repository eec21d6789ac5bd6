/**
 * Holds requests that need a new sign-in until the user has signed in over the page, so that a
 * session that ends in the middle of an edit loses nothing.
 */
export type GateReason = 'signed-out' | 'not-fresh'
/** The browser is signed in as a user other than that of the page. */
type Switched = 'another-user'
export type PageUser = { id: string; email: string }
type Listener = () => void

let reason: GateReason | Switched | null = null
let waiting: { promise: Promise<boolean>; finish: (signedIn: boolean) => void } | null = null
let user: PageUser | null = null
const listeners = new Set<Listener>()

/** The first user stays that of the page, whose content is theirs, until `closeGate`. */
export function openGate(to: PageUser): void {
  user ??= to
}

/** Pages without a session (sign-in, sign-up) turn the gate off: there a 401 is an answer. */
export function closeGate(): void {
  user = null
}

/** The user of this page; null: a visitor, and the gate is closed. */
export function pageUser(): PageUser | null {
  return user
}

/**
 * Resolves when the user of the page has signed in again (true), has given up, or is not the one who
 * signed in (false).
 */
export function waitForSignIn(because: GateReason): Promise<boolean> {
  if (reason === 'another-user') return Promise.resolve(false)
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
  endWith(signedIn, null)
}

/**
 * To be told whom the server knows the browser as. Requests that wait are dropped when that is another
 * user, in whose name they would be sent.
 * @param found null: a user who may not enter the workspace of the page
 */
export function noteUser(found: PageUser | null): void {
  if (!user) return
  if (found?.id === user.id) user = found
  else endWith(false, 'another-user')
}

function endWith(signedIn: boolean, next: Switched | null): void {
  waiting?.finish(signedIn)
  waiting = null
  reason = next
  for (const listener of listeners) listener()
}

export function subscribeGate(listener: Listener): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The reason why the page cannot continue; null: it can. */
export function gateReason(): GateReason | Switched | null {
  return reason
}
