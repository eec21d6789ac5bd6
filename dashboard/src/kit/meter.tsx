/** A bar for a used or reached share. The words beside it say the same. */
export function Meter({
  value,
  max,
  label,
  isWarning = false,
}: {
  value: number
  max: number
  label: string
  isWarning?: boolean
}) {
  const share = max > 0 ? Math.min(value / max, 1) : 1
  return (
    <svg
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={max}
      aria-valuenow={Math.min(value, max)}
      width="100%"
      height="8"
      className="block"
    >
      <rect width="100%" height="8" rx="2" className="fill-sunk" />
      <rect
        width={`${share * 100}%`}
        height="8"
        rx="2"
        className={isWarning ? 'fill-stop' : 'fill-lake'}
      />
    </svg>
  )
}
