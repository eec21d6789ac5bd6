import { Menu as BaseMenu } from '@base-ui/react/menu'
import type { ReactElement, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

const POPUP =
  'rounded border border-line bg-card py-1 shadow-popup outline-none max-h-[var(--available-height)] overflow-y-auto transition-opacity duration-100 data-[starting-style]:opacity-0'
const ITEM =
  'flex min-h-9 max-md:min-h-11 cursor-default items-center gap-2 px-3 text-sm no-underline text-ink select-none outline-none data-[highlighted]:bg-sunk data-[disabled]:opacity-50'

/** Actions behind a button. */
export function Menu({
  trigger,
  children,
  align = 'end',
}: {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}) {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal>
        <BaseMenu.Positioner sideOffset={4} align={align} className="z-10">
          <BaseMenu.Popup className={`${POPUP} min-w-44`}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

export function MenuItem({
  icon,
  onSelect,
  render,
  isDanger = false,
  disabled = false,
  children,
}: {
  icon?: IconName
  onSelect?: () => void
  /** An element in the place of the item's own: a link. */
  render?: ReactElement
  isDanger?: boolean
  disabled?: boolean
  children: ReactNode
}) {
  return (
    <BaseMenu.Item
      className={`${ITEM} ${isDanger ? 'text-stop' : ''}`}
      disabled={disabled}
      {...(onSelect ? { onClick: onSelect } : {})}
      {...(render ? { render } : {})}
    >
      {icon && <Icon name={icon} />}
      {children}
    </BaseMenu.Item>
  )
}

export function MenuLine() {
  return <BaseMenu.Separator className="my-1 h-px bg-line" />
}
