import { useEffect, useRef } from 'react'

type Action = (event: KeyboardEvent) => void

/** Single keys of a page, by the character that they type; they rest while the user types or a popup is open. */
export function useKeys(actions: Readonly<Record<string, Action | false>>): void {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.metaKey || event.ctrlKey || event.altKey) return
      if (localStorage.getItem('signpost.keys') === 'off' || isTyping(event)) return
      const action = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}

/** Whether a key belongs to a field, to an open popup, or to the control that has the focus. */
function isTyping({ target, key }: KeyboardEvent): boolean {
  if (!(target instanceof HTMLElement)) return false
  if (target.closest('[role=dialog],[role=alertdialog],[role=menu],[role=listbox]')) return true
  if (key === 'Enter' && target.closest('a,button,input,summary')) return true
  if (target.isContentEditable || ['TEXTAREA', 'SELECT'].includes(target.tagName)) return true
  return target instanceof HTMLInputElement && target.type !== 'checkbox'
}
