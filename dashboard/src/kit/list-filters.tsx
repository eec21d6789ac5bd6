import { FilterSelect } from './filter-select.tsx'
import type { ListSearch } from './list-search.ts'
import { SearchField } from './search-field.tsx'

/** The search and the status of a list. */
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
  return (
    <SearchField label={words.search} value={search.q} onValue={(q) => onChange({ q })}>
      <FilterSelect
        label={words.statusFilter}
        any={words.anyStatus}
        value={search.status}
        options={statuses.map((value) => ({ value, label: words.statuses[value] }))}
        onValue={(status) => onChange({ status })}
      />
    </SearchField>
  )
}
