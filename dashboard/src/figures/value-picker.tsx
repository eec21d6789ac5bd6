import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatNumber } from '../kit/locale.ts'
import { Picker } from '../kit/picker.tsx'
import { text } from '../text/figures.ts'
import { nameOf } from './labels.ts'
import type { Scope } from './queries.ts'
import { readFilter, toFilter, toQuestion, type Dimension, type FigureSearch } from './search.ts'

const MOST = 50

/** Labels of a dimension with their clicks of the period; each one chosen is added to the filter. */
export function ValuePicker({
  dimension,
  scope,
  search,
  onChange,
  onClose,
}: {
  dimension: Dimension
  scope: Scope
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
  onClose: () => void
}) {
  const { id } = useWorkspace()
  const [typed, setTyped] = useState('')
  const isCountry = dimension === 'country'
  const q = useDeferredValue(typed.trim())
  // Countries are stored as codes: their names are searched here.
  const values = useQuery(valuesQuery(id, dimension, scope, search, isCountry ? '' : q))
  const filter = search[dimension]
  const { labels, isExcluded } = filter ? readFilter(filter) : { labels: [], isExcluded: false }
  const toggle = (label: string) => {
    const next = labels.includes(label)
      ? labels.filter((each) => each !== label)
      : [...labels, label]
    onChange({ [dimension]: next.length > 0 ? toFilter(next, isExcluded) : undefined })
  }
  const found = (values.data ?? []).filter(
    ({ value }) => !isCountry || nameOf(dimension, value).toLowerCase().includes(q.toLowerCase()),
  )
  return (
    <Picker
      title={text.figures.dimensions[dimension]}
      typed={typed}
      onTyped={setTyped}
      choices={found.map(({ value, clicks }) => ({
        value,
        label: nameOf(dimension, value),
        note: formatNumber(clicks),
        isChosen: labels.includes(value),
      }))}
      onChoose={toggle}
      onClose={onClose}
    >
      {values.error ? <ErrorNote error={values.error} /> : text.figures.valuesHint}
    </Picker>
  )
}

function valuesQuery(
  workspaceId: string,
  dimension: Dimension,
  scope: Scope,
  search: FigureSearch,
  q: string,
) {
  const { compare: _, ...question } = toQuestion({ ...search, [dimension]: undefined })
  const limit = dimension === 'country' ? 300 : MOST
  const query = { ...question, ...scope, limit, ...(q ? { q } : {}) }
  return queryOptions({
    queryKey: [workspaceId, 'values', dimension, query],
    queryFn: ({ signal }) =>
      dataOf(
        api.GET('/analytics/values/{dimension}', {
          params: { path: { dimension }, query },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  })
}
