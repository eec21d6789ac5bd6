const LOOK =
  'min-h-9 max-w-60 rounded border bg-card px-2 text-sm text-ink max-md:min-h-11 max-md:max-w-full max-md:min-w-0 max-md:grow max-md:basis-2/5'

/** A filter of a page, which stands out while it filters. */
export function FilterSelect<T extends string>({
  label,
  any,
  value,
  options,
  onValue,
}: {
  label: string
  /** The choice without a filter; absent: one of the options is always chosen. */
  any?: string
  value: T | undefined
  options: readonly { value: T; label: string }[]
  onValue: (value: T | undefined) => void
}) {
  const isListed = value === undefined || options.some((option) => option.value === value)
  const isFiltering = any !== undefined && value !== undefined
  return (
    <select
      aria-label={label}
      className={`${LOOK} ${isFiltering ? 'border-ink font-semibold' : 'border-edge'}`}
      value={value ?? ''}
      onChange={({ target }) => onValue((target.value || undefined) as T | undefined)}
    >
      {any !== undefined && <option value="">{any}</option>}
      {!isListed && <option value={value}>{value}</option>}
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {option.label}
        </option>
      ))}
    </select>
  )
}
