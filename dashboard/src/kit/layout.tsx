import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { text } from '../text/shared.ts'
import { useTabTitle } from './tab-title.ts'

export function Card({
  title,
  note,
  action,
  children,
  className = '',
}: {
  title?: ReactNode
  note?: ReactNode
  action?: ReactNode
  children: ReactNode
  className?: string
}) {
  return (
    <section className={`rounded border border-line bg-card ${className}`}>
      {(title || action) && (
        <div className="flex min-h-10 flex-wrap items-center justify-between gap-x-3 px-4 pt-2">
          <h2 className="text-base font-semibold">
            {title} {note && <span className="text-sm font-normal text-soft">{note}</span>}
          </h2>
          {action}
        </div>
      )}
      {children}
    </section>
  )
}

/** The head of a page: its name, what it shows, and its first action. */
export function PageHead({
  title,
  tabTitle,
  note,
  children,
}: {
  title: ReactNode
  /** Of a page whose title is no text. */
  tabTitle?: string
  note?: ReactNode
  children?: ReactNode
}) {
  useTabTitle(typeof title === 'string' ? title : tabTitle)
  return (
    <header className="flex flex-wrap items-end justify-between gap-3 pb-4">
      <div className="min-w-0">
        <h1 className="text-xl font-bold break-words">{title}</h1>
        {note && <p className="text-sm text-soft">{note}</p>}
      </div>
      {children && (
        <div data-actions="" className="flex flex-wrap gap-2">
          {children}
        </div>
      )}
    </header>
  )
}

/** Explains a page without rows, and leads to the first one. */
export function Empty({
  icon,
  title,
  action,
  children,
}: {
  icon: IconName
  title: string
  /** The button for the first one, which the head of the page leaves to it. */
  action?: ReactNode
  children?: ReactNode
}) {
  return (
    <div className="mx-auto flex max-w-lg flex-col items-center gap-2 px-4 py-12 text-center">
      <Icon name={icon} size={32} className="text-soft" />
      <h2 className="text-lg font-semibold">{title}</h2>
      <div className="text-base text-balance text-soft">{children}</div>
      {action && <div className="pt-2">{action}</div>}
    </div>
  )
}

/** Gray bars in the place of rows that have not arrived, of the same height. */
export function Skeleton({ rows = 3, height = 44 }: { rows?: number; height?: number }) {
  return (
    <div role="status" aria-label={text.actions.loading} className="animate-appear">
      {Array.from({ length: rows }, (_, row) => (
        <svg key={row} width="100%" height={height} aria-hidden="true">
          <rect
            x="12"
            y={height / 2 - 5}
            width={row % 2 ? '60%' : '75%'}
            height="10"
            rx="3"
            className="fill-sunk"
          />
        </svg>
      ))}
    </div>
  )
}

/** A bar with a pointed end: a direction, or the present place (`isHere`). */
export function Arm({
  children,
  isHere = false,
  className = '',
}: {
  children: ReactNode
  isHere?: boolean
  className?: string
}) {
  return (
    <span
      className={`arm inline-flex min-h-8 max-w-full items-center gap-2 ps-3 text-sm ${isHere ? 'bg-way text-on-way font-semibold' : 'bg-sunk text-ink'} ${className}`}
    >
      {children}
    </span>
  )
}
