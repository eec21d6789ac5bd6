import { formatCountry } from '../kit/format.ts'
import { IconButton } from '../kit/button.tsx'
import { Arm } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { DIMENSIONS, readFilter, type Dimension, type FigureSearch } from './search.ts'

/** A label as the user reads it: the name of a country, a word for an unknown value. */
export function nameOf(dimension: Dimension, label: string): string {
  if (label === '' || label === 'unknown') return text.figures.unknown
  if (dimension === 'country') return formatCountry(label)
  return text.figures.labels[label] ?? label
}

/** The filters of the figures; each is an arm that can be taken off. */
export function FilterBar({
  search,
  onChange,
}: {
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
}) {
  const filters = DIMENSIONS.flatMap((dimension) => {
    const value = search[dimension]
    return value === undefined ? [] : [{ dimension, ...readFilter(value) }]
  })
  if (filters.length === 0) return null
  return (
    <div className="flex flex-wrap gap-2 pb-3">
      {filters.map(({ dimension, labels, isExcluded }) => (
        <Arm key={dimension}>
          <span className="max-w-80 truncate">
            {text.figures.dimensions[dimension]} {isExcluded ? text.figures.isNot : text.figures.is}{' '}
            <b className="font-semibold">
              {labels.map((label) => nameOf(dimension, label)).join(', ')}
            </b>
          </span>
          <IconButton
            icon="x"
            label={text.figures.removeFilter(text.figures.dimensions[dimension])}
            className="size-7!"
            onClick={() => onChange({ [dimension]: undefined })}
          />
        </Arm>
      ))}
    </div>
  )
}
