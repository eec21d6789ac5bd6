const STORED = 'signpost.keys'
const listeners = new Set<() => void>()

/** Whether single keys act; some users of assistive technology need them off. */
export function areKeysOn(): boolean {
  return localStorage.getItem(STORED) !== 'off'
}

export function setKeysOn(on: boolean): void {
  localStorage.setItem(STORED, on ? 'on' : 'off')
  for (const listener of listeners) listener()
}

export function subscribeKeys(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Whether a key belongs to a field or to an open popup. */
export function isTyping({ target }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role=dialog],[role=menu],[role=listbox]')) return true
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName)
}
