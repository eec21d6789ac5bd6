import { FIRST_PATHS } from './icon-paths.ts'
import type { MoreIconName } from './more-icon-paths.ts'

export type IconName = keyof typeof FIRST_PATHS | MoreIconName

const paths: Partial<Record<IconName, string>> = { ...FIRST_PATHS }

/** Those that point along the line of text. */
const MIRRORED: readonly string[] = [
  'arrow-left',
  'arrow-right',
  'chevron-left',
  'chevron-right',
] satisfies IconName[]

export function addIcons(more: Readonly<Record<MoreIconName, string>>): void {
  Object.assign(paths, more)
}

/** A drawing beside a word, hidden from assistive technology; alone it needs a `label`. */
export function Icon({
  name,
  size = 16,
  className = '',
  label,
}: {
  name: IconName
  size?: number
  className?: string
  label?: string
}) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      strokeLinecap="round"
      strokeLinejoin="round"
      className={`shrink-0 ${MIRRORED.includes(name) ? 'rtl:-scale-x-100' : ''} ${className}`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={paths[name]} />
    </svg>
  )
}
