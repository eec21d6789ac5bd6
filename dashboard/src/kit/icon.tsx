import { ICON_PATHS, type IconName } from './icon-paths.ts'

export type { IconName }

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
      className={`shrink-0 ${className}`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={ICON_PATHS[name]} />
    </svg>
  )
}
