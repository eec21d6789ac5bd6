import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'

type Look = 'primary' | 'plain' | 'quiet' | 'danger'

const BASE =
  'inline-flex items-center justify-center gap-2 rounded font-semibold text-sm select-none no-underline transition-opacity duration-100 disabled:opacity-50 disabled:cursor-not-allowed aria-disabled:opacity-50'
const LOOKS: Record<Look, string> = {
  primary: 'bg-ink text-paper hover:opacity-90 px-4',
  plain: 'bg-card text-ink border border-edge hover:bg-sunk px-3',
  quiet: 'text-ink hover:bg-sunk px-2',
  danger: 'bg-stop text-paper hover:opacity-90 px-4',
}

/** The classes of a button, for a link that looks like one. */
export function buttonClass(look: Look = 'plain', className = ''): string {
  return `${BASE} ${LOOKS[look]} min-h-9 max-md:min-h-11 ${className}`
}

type Props = ComponentProps<'button'> & {
  look?: Look
  icon?: IconName
  /** The key that does the same, shown on wide screens. */
  hotkey?: string
  isBusy?: boolean
}

export function Button({
  look = 'plain',
  icon,
  hotkey,
  isBusy = false,
  className = '',
  children,
  type,
  disabled,
  ...rest
}: Props) {
  return (
    <button
      type={type === 'submit' ? 'submit' : 'button'}
      className={buttonClass(look, className)}
      disabled={disabled || isBusy}
      aria-busy={isBusy || undefined}
      {...rest}
    >
      {isBusy ? (
        <Icon name="loader-circle" className="animate-spin" />
      ) : (
        icon && <Icon name={icon} />
      )}
      {children}
      {hotkey && <Key>{hotkey}</Key>}
    </button>
  )
}

/** A button with a drawing alone; its label is read out and shown on hover. */
export function IconButton({
  icon,
  label,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      aria-label={label}
      title={label}
      className={`inline-flex size-9 max-md:size-11 items-center justify-center rounded text-ink hover:bg-sunk disabled:opacity-50 ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}

/** The name of a key, shown where a keyboard is likely. */
export function Key({ children }: { children: ReactNode }) {
  return (
    <kbd
      aria-hidden="true"
      className="rounded-sm border border-current px-1 font-mono text-xs leading-4 max-md:hidden"
    >
      {children}
    </kbd>
  )
}
