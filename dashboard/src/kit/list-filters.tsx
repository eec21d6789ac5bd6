import { useState } from 'react'
import { INPUT } from './field.tsx'
import { FilterSelect } from './filter-select.tsx'
import type { ListSearch } from './list-search.ts'

/** The search and the status of a list. The search applies on Enter, and once it is emptied. */
export function ListFilters<Status extends string>({
  search,
  statuses,
  words,
  onChange,
}: {
  search: ListSearch<Status>
  statuses: readonly Status[]
  words: {
    search: string
    statusFilter: string
    anyStatus: string
    statuses: Readonly<Record<Status, string>>
  }
  onChange: (part: Pick<ListSearch<Status>, 'q' | 'status'>) => void
}) {
  const [typed, setTyped] = useState(search.q ?? '')
  return (
    <div className="flex flex-wrap gap-2 pb-3">
      <form
        role="search"
        className="min-w-52 flex-1"
        onSubmit={(event) => {
          event.preventDefault()
          onChange({ q: typed.trim() || undefined })
        }}
      >
        <input
          type="search"
          aria-label={words.search}
          placeholder={words.search}
          className={INPUT}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '') onChange({ q: undefined })
          }}
        />
      </form>
      <FilterSelect
        label={words.statusFilter}
        any={words.anyStatus}
        value={search.status}
        options={statuses.map((value) => ({ value, label: words.statuses[value] }))}
        onValue={(status) => onChange({ status })}
      />
    </div>
  )
}
