import { useState, type ReactNode } from 'react'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Arm } from '../kit/layout.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { text } from '../text/figures.ts'
import { nameOf } from './labels.ts'
import type { Scope } from './queries.ts'
import { DIMENSIONS, readFilter, toFilter, type Dimension, type FigureSearch } from './search.ts'

const ValuePicker = lazyPart(() => import('./value-picker.tsx'), 'ValuePicker')

type Props = {
  /** Owner of the labels that can be chosen; null: filters come from the cards alone. */
  scope: Scope | null
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
}

/** The filters of the figures; each is an arm that can be turned round and taken off. What is known of the figures stands at the end. */
export function FilterBar({ scope, search, onChange, children }: Props & { children?: ReactNode }) {
  const [picked, setPicked] = useState<Dimension | null>(null)
  const filters = DIMENSIONS.flatMap((dimension) => {
    const value = search[dimension]
    return value === undefined ? [] : [{ dimension, ...readFilter(value) }]
  })
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      {filters.map(({ dimension, labels, isExcluded }) => (
        <Arm key={dimension}>
          <button
            type="button"
            className="min-h-8 max-md:min-h-11"
            title={text.figures.turnFilter}
            onClick={() => onChange({ [dimension]: toFilter(labels, !isExcluded) })}
          >
            {text.figures.dimensions[dimension]} {isExcluded ? text.figures.isNot : text.figures.is}
          </button>
          <button
            type="button"
            className="min-h-8 min-w-0 max-w-80 truncate font-semibold max-md:min-h-11"
            title={scope ? text.figures.changeFilter : undefined}
            disabled={!scope}
            onClick={() => setPicked(dimension)}
          >
            {labels.map((label) => nameOf(dimension, label)).join(', ')}
          </button>
          <IconButton
            icon="x"
            label={text.actions.removeFilter(text.figures.dimensions[dimension])}
            className="size-7! max-md:size-11!"
            onClick={() => onChange({ [dimension]: undefined })}
          />
        </Arm>
      ))}
      {scope && (
        <Menu
          align="start"
          trigger={
            <button
              type="button"
              className="-ms-2 inline-flex min-h-8 items-center gap-1 rounded px-2 text-sm text-lake hover:bg-sunk max-md:min-h-11"
            >
              <Icon name="plus" /> {text.figures.addFilter}
            </button>
          }
        >
          {DIMENSIONS.map((dimension) => (
            <MenuItem key={dimension} onSelect={() => setPicked(dimension)}>
              {text.figures.filterNames[dimension] ?? text.figures.dimensions[dimension]}
            </MenuItem>
          ))}
        </Menu>
      )}
      {children && <div className="ms-auto">{children}</div>}
      {scope && picked && (
        <ValuePicker
          key={picked}
          dimension={picked}
          scope={scope}
          search={search}
          onChange={onChange}
          onClose={() => setPicked(null)}
        />
      )}
    </div>
  )
}
