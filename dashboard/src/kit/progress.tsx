/** Progress of a job. The words beside it say the same. */
export function Progress({
  value,
  max,
  label,
  className = 'w-full',
}: {
  value: number
  max: number
  label: string
  className?: string
}) {
  return (
    <progress
      className={`h-2 appearance-none overflow-hidden rounded bg-sunk [&::-moz-progress-bar]:bg-lake [&::-webkit-progress-bar]:bg-sunk [&::-webkit-progress-value]:bg-lake ${className}`}
      aria-label={label}
      max={max}
      value={value}
    />
  )
}
