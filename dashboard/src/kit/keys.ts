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

/** Whether a key or a pasted text belongs to a field, to an open popup, or to the control that has the focus. */
export function isTyping(event: Event): boolean {
  const { target } = event
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]')) return true
  const isEnter = event instanceof KeyboardEvent && event.key === 'Enter'
  if (isEnter && target.closest('a,button,input,summary')) return true
  if (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)) return true
  return target instanceof HTMLInputElement && target.type !== 'checkbox'
}
