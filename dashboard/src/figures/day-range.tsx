const INPUT =
  'min-h-9 min-w-0 rounded border border-edge bg-card px-2 text-sm max-md:min-h-11 max-md:flex-1'

/** Two days; both are needed before anything changes. */
export function DayRange({
  start,
  end,
  labels,
  onRange,
}: {
  start: string | undefined
  end: string | undefined
  labels: readonly [string, string]
  onRange: (start: string, end: string) => void
}) {
  return (
    <form
      className="inline-flex items-center gap-1 max-md:w-full"
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const from = form.get('start')
        const to = form.get('end')
        if (typeof from === 'string' && typeof to === 'string' && from && to)
          onRange(from <= to ? from : to, from <= to ? to : from)
      }}
      onChange={(event) => event.currentTarget.requestSubmit()}
    >
      <input
        key={`start-${start}`}
        type="date"
        name="start"
        aria-label={labels[0]}
        defaultValue={start}
        className={INPUT}
      />
      <input
        key={`end-${end}`}
        type="date"
        name="end"
        aria-label={labels[1]}
        defaultValue={end}
        className={INPUT}
      />
    </form>
  )
}
