import { useOverlays } from './load-overlays.ts'
import type { DrawerProps, PopupProps } from './overlays.tsx'

/** A panel at the right edge, on a phone from below. Esc and the close button close it. */
export function Drawer(props: DrawerProps) {
  const overlays = useOverlays(props.isOpen === false ? 0 : 1)
  return overlays && <overlays.Drawer {...props} />
}

/** A question in the middle of the page. */
export function Popup(props: PopupProps) {
  const overlays = useOverlays(props.isOpen === false ? 0 : 1)
  return overlays && <overlays.Popup {...props} />
}
