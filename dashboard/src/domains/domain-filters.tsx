import { useState } from 'react'
import { INPUT } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import { STATUSES, type DomainsSearch } from './search.ts'

/** Which domains the list shows. */
export function DomainFilters({
  search,
  onChange,
}: {
  search: DomainsSearch
  onChange: (part: Partial<DomainsSearch>) => void
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
          aria-label={text.domains.search}
          placeholder={text.domains.search}
          className={INPUT}
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            if (event.target.value === '') onChange({ q: undefined })
          }}
        />
      </form>
      <select
        aria-label={text.domains.statusFilter}
        className={`${INPUT} w-auto!`}
        value={search.status ?? ''}
        onChange={(event) =>
          onChange({ status: STATUSES.find((each) => each === event.target.value) })
        }
      >
        <option value="">{text.domains.anyStatus}</option>
        {STATUSES.map((status) => (
          <option key={status} value={status}>
            {text.domains.statuses[status]}
          </option>
        ))}
      </select>
    </div>
  )
}
