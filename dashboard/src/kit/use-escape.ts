import { useEffect } from 'react'

/** Escape closes a popup whose code has not arrived. */
export function useEscape(onClose: (() => void) | undefined): void {
  useEffect(() => {
    if (!onClose) return
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape') onClose()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [onClose])
}
