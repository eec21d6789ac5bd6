import { cloneElement, createContext, use, useState, type ReactElement } from 'react'
import { useOverlays } from './load-overlays.ts'
import type { MenuAtProps, MenuItemProps, MenuProps } from './overlays.tsx'

type Overlays = NonNullable<ReturnType<typeof useOverlays>>
type Trigger = Partial<Record<'aria-haspopup' | 'aria-expanded', unknown>> & { onClick(): void }

const Parts = createContext<Overlays | null>(null)

/** Actions behind a button. Until it is first pressed it is the button alone. */
export function Menu(props: MenuProps) {
  const [presses, setPresses] = useState(0)
  const overlays = useOverlays(presses)
  if (!overlays)
    return cloneElement(props.trigger as ReactElement<Trigger>, {
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onClick: () => setPresses(presses + 1),
    })
  return (
    <Parts value={overlays}>
      <overlays.Menu {...props} defaultOpen={presses > 0} />
    </Parts>
  )
}

/** A menu at an element; its first use loads it. */
export function MenuAt(props: MenuAtProps) {
  const overlays = useOverlays(1)
  return (
    overlays && (
      <Parts value={overlays}>
        <overlays.MenuAt {...props} />
      </Parts>
    )
  )
}

export function MenuItem(props: MenuItemProps) {
  const { MenuItem: Item } = use(Parts)!
  return <Item {...props} />
}

export function MenuLine() {
  const { MenuLine: Line } = use(Parts)!
  return <Line />
}
