import { useEffect, useRef } from 'react'
import { areKeysOn, isTyping } from './keys.ts'

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
      if (!areKeysOn() || isTyping(event)) return
      const action = latest.current[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (!action) return
      event.preventDefault()
      action(event)
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
}
