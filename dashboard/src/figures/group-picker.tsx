import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { Picker } from '../kit/picker.tsx'
import { text } from '../text/figures.ts'
import { groupChoicesQuery, groupNameQuery } from './groups.ts'
import { readFilter, toFilter, type FigureSearch, type Group } from './search.ts'

/** Links, tags, folders, campaigns or domains to filter by; each one chosen is added to the filter. */
export function GroupPicker({
  group,
  search,
  onChange,
  onClose,
}: {
  group: Group
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
  onClose: () => void
}) {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(typed.trim())
  const found = useQuery({
    ...groupChoicesQuery(id, group, q),
    placeholderData: keepPreviousData,
  })
  const filter = search[group]
  const { labels, isExcluded } = filter ? readFilter(filter) : { labels: [], isExcluded: false }
  const toggle = (value: string) => {
    const name = found.data?.find((choice) => choice.value === value)?.label
    if (name) queryClient.setQueryData(groupNameQuery(id, group, value).queryKey, name)
    const next = labels.includes(value)
      ? labels.filter((each) => each !== value)
      : [...labels, value]
    onChange({ [group]: next.length > 0 ? toFilter(next, isExcluded) : undefined })
  }
  return (
    <Picker
      title={text.figures.dimensions[group]}
      typed={typed}
      onTyped={setTyped}
      choices={(found.data ?? []).map((choice) => ({
        ...choice,
        isChosen: labels.includes(choice.value),
      }))}
      onChoose={toggle}
      onClose={onClose}
    >
      {found.error ? <ErrorNote error={found.error} /> : text.figures.valuesHint}
    </Picker>
  )
}
