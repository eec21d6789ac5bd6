import { text } from '../text/figures.ts'
import type { Dimension } from './search.ts'

/** Choice of the dimension that a card shows. */
export function DimensionTabs<D extends Dimension>({
  label,
  dimensions,
  chosen,
  onChoose,
}: {
  label: string
  dimensions: readonly D[]
  chosen: D
  onChoose: (dimension: D) => void
}) {
  if (dimensions.length < 2) return null
  return (
    <div role="group" aria-label={label} className="flex flex-wrap px-2 pt-1">
      {dimensions.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={each === chosen}
          className="min-h-8 px-2 text-sm text-soft aria-pressed:font-semibold aria-pressed:text-ink aria-pressed:underline aria-pressed:decoration-way aria-pressed:decoration-3 aria-pressed:underline-offset-8 max-md:min-h-11"
          onClick={() => onChoose(each)}
        >
          {text.figures.dimensions[each]}
        </button>
      ))}
    </div>
  )
}
