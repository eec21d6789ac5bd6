import { Dialog } from '@base-ui/react/dialog'
import { Menu as BaseMenu } from '@base-ui/react/menu'
import { useState, type ReactElement, type ReactNode } from 'react'
import { text } from '../text/shared.ts'
import { IconButton } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'

/** Drawers and dialogs over a page. Pages load them by `load-overlays.ts`, since Base UI weighs more than any of them. */
export type DrawerProps = {
  title: ReactNode
  /** Beside the title: the state of a draft. */
  note?: ReactNode
  isOpen?: boolean
  onClose: () => void
  /** Keeps the drawer when the user clicks beside it: its content was changed. */
  isChanged?: boolean
  foot?: ReactNode
  children: ReactNode
}

export type PopupProps = Omit<DrawerProps, 'note' | 'isChanged'>

const BACKDROP =
  'fixed inset-0 bg-shade transition-opacity duration-100 data-[starting-style]:opacity-0 data-[ending-style]:opacity-0'

/** The focused element of the page when the first of the present dialogs was opened. */
let openedFrom: Element | null = null

/**
 * Returns the focus to where it was. The element is gone, or was disabled, for a drawer that takes the place of another:
 * that one returns it to the page, where the first was opened. The button of an empty list is gone with the first row,
 * and the same one is in the head of the page since.
 */
function useFinalFocus(): () => HTMLElement | true {
  const [opener] = useState(() => {
    const active = document.activeElement
    if (document.querySelector('[role=dialog]') === null)
      openedFrom = active === document.body ? null : active
    return { active, ofPage: openedFrom }
  })
  return () => {
    const { active, ofPage } = opener
    if (active !== document.body && active?.isConnected) return true
    if (!(ofPage instanceof HTMLElement)) return true
    if (ofPage.isConnected) return ofPage
    return document.querySelector<HTMLElement>('[data-actions] > button:last-of-type') ?? true
  }
}

/** A panel at the right edge, on a phone from below. Esc and the close button close it. */
export function Drawer({
  title,
  note,
  isOpen = true,
  onClose,
  isChanged = false,
  foot,
  children,
}: DrawerProps) {
  const finalFocus = useFinalFocus()
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open, details) => {
        if (!open && !(isChanged && details.reason === 'outside-press')) onClose()
      }}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup
          finalFocus={finalFocus}
          className="fixed inset-y-0 end-0 flex w-full max-w-xl flex-col bg-paper shadow-popup max-md:top-auto max-md:max-h-[92dvh] max-md:rounded-t-lg"
        >
          <div className="flex items-center justify-between gap-3 border-b border-line px-5 py-3">
            <Dialog.Title className="text-lg font-bold">
              {title} {note && <span className="text-sm font-normal text-soft">{note}</span>}
            </Dialog.Title>
            <IconButton icon="x" label={text.actions.close} onClick={onClose} />
          </div>
          <div className="flex flex-1 flex-col gap-4 overflow-y-auto px-5 py-4">{children}</div>
          {foot && (
            <div className="flex flex-wrap items-center gap-2 border-t border-line px-5 py-3 max-md:pb-[max(12px,env(safe-area-inset-bottom))]">
              {foot}
            </div>
          )}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

/** A question in the middle of the page. */
export function Popup({ title, isOpen = true, onClose, foot, children }: PopupProps) {
  return (
    <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={BACKDROP} />
        <Dialog.Popup className="fixed top-1/2 left-1/2 flex max-h-[92dvh] w-[calc(100%-32px)] max-w-md -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-y-auto rounded bg-paper p-5 shadow-popup outline-none">
          <div className="flex items-start justify-between gap-3">
            <Dialog.Title className="text-lg font-bold">{title}</Dialog.Title>
            <IconButton
              icon="x"
              label={text.actions.close}
              className="-mt-1.5 -me-2 shrink-0"
              onClick={onClose}
            />
          </div>
          {children}
          {foot && <div className="flex flex-wrap justify-end gap-2">{foot}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

const POPUP =
  'rounded border border-line bg-card py-1 shadow-popup outline-none max-h-[var(--available-height)] overflow-y-auto transition-opacity duration-100 data-[starting-style]:opacity-0'
const ITEM =
  'flex min-h-9 max-md:min-h-11 cursor-default items-center gap-2 px-3 text-sm no-underline text-ink select-none outline-none data-[highlighted]:bg-sunk data-[disabled]:opacity-50'

export type MenuProps = {
  trigger: ReactElement
  children: ReactNode
  align?: 'start' | 'end'
}

/** Actions behind a button, in the main part of the page, so that all content is in one of its landmarks. */
export function Menu({
  trigger,
  children,
  align = 'end',
  defaultOpen,
}: MenuProps & { defaultOpen: boolean }) {
  return (
    <BaseMenu.Root defaultOpen={defaultOpen}>
      <BaseMenu.Trigger render={trigger} />
      <BaseMenu.Portal container={document.getElementById('content')}>
        <BaseMenu.Positioner sideOffset={4} align={align} className="z-10">
          <BaseMenu.Popup className={`${POPUP} min-w-44`}>{children}</BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

export type MenuAtProps = { anchor: HTMLElement; onClose: () => void; children: ReactNode }

/** An open menu at an element that many rows share it with. */
export function MenuAt({ anchor, onClose, children }: MenuAtProps) {
  return (
    <BaseMenu.Root open onOpenChange={(open) => !open && onClose()}>
      <BaseMenu.Portal container={document.getElementById('content')}>
        <BaseMenu.Positioner anchor={anchor} sideOffset={4} align="end" className="z-10">
          <BaseMenu.Popup finalFocus={() => anchor} className={`${POPUP} min-w-44`}>
            {children}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  )
}

export type MenuItemProps = {
  icon?: IconName
  onSelect?: () => void
  /** An element in the place of the item's own: a link. */
  render?: ReactElement
  isDanger?: boolean
  /** Of a choice that the item switches; the menu stays open. */
  isChecked?: boolean
  disabled?: boolean
  children: ReactNode
}

export function MenuItem({
  icon,
  onSelect,
  render,
  isDanger = false,
  isChecked,
  disabled = false,
  children,
}: MenuItemProps) {
  if (isChecked !== undefined)
    return (
      <BaseMenu.CheckboxItem
        className={ITEM}
        checked={isChecked}
        disabled={disabled}
        onCheckedChange={() => onSelect?.()}
      >
        <Icon name="check" className={isChecked ? '' : 'invisible'} />
        {children}
      </BaseMenu.CheckboxItem>
    )
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
