const KEY = 'signpost.buyer'

/** Remembers for which workspace this tab left to pay; the payment provider returns without it. */
export function keepBuyer(workspaceId: string): void {
  sessionStorage.setItem(KEY, workspaceId)
}

export function takeBuyer(): string | null {
  const workspaceId = sessionStorage.getItem(KEY)
  sessionStorage.removeItem(KEY)
  return workspaceId
}
