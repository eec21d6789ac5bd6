import type { ReactNode } from 'react'
import { Icon, type IconName } from '../kit/icon.tsx'

/** Options behind a line that tells what is set. */
export function Section({
  icon,
  title,
  state,
  hasError,
  children,
}: {
  icon: IconName
  title: string
  state: string
  hasError: boolean
  children: ReactNode
}) {
  return (
    <details className="group border-t border-line" open={hasError || undefined}>
      <summary className="flex min-h-11 items-center gap-3 text-base">
        <Icon name={icon} /> <span className="shrink-0">{title}</span>
        <span className="min-w-0 flex-1 truncate text-end text-sm text-soft">{state}</span>
        <Icon name="chevron-right" className="group-open:rotate-90" />
      </summary>
      <div className="flex flex-col gap-3 pb-4">{children}</div>
    </details>
  )
}
