import { useOverlays } from './load-overlays.ts'
import type { DrawerProps, PopupProps } from './overlays.tsx'
import { useEscape } from './use-escape.ts'

/** A panel at the right edge, on a phone from below. Esc and the close button close it. */
export function Drawer(props: DrawerProps) {
  const overlays = useShownOverlays(props)
  return overlays && <overlays.Drawer {...props} />
}

/** A question in the middle of the page. */
export function Popup(props: PopupProps) {
  const overlays = useShownOverlays(props)
  return overlays && <overlays.Popup {...props} />
}

function useShownOverlays({ isOpen = true, onClose }: Pick<PopupProps, 'isOpen' | 'onClose'>) {
  const overlays = useOverlays(isOpen ? 1 : 0)
  useEscape(isOpen && !overlays ? onClose : undefined)
  return overlays
}
