import { Fragment, useState, type ReactNode } from 'react'
import { IconButton } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { Arm } from '../kit/layout.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { text } from '../text/figures.ts'
import { GroupName } from './group-name.tsx'
import { nameOf } from './labels.ts'
import type { Scope } from './queries.ts'
import {
  DIMENSIONS,
  FILTERS,
  GROUPS,
  readFilter,
  toFilter,
  type FigureSearch,
  type FilterName,
  type Group,
} from './search.ts'

const GroupPicker = lazyPart(() => import('./group-picker.tsx'), 'GroupPicker')
const ValuePicker = lazyPart(() => import('./value-picker.tsx'), 'ValuePicker')

type Props = {
  /** Owner of the labels that can be chosen; null: filters come from the cards alone. */
  scope: Scope | null
  search: FigureSearch
  onChange: (change: Partial<FigureSearch>) => void
}

/** The filters of the figures; each is an arm that can be turned round and taken off. What is known of the figures stands at the end. */
export function FilterBar({ scope, search, onChange, children }: Props & { children?: ReactNode }) {
  const [picked, setPicked] = useState<FilterName | null>(null)
  const filters = FILTERS.flatMap((name) => {
    const value = search[name]
    return value === undefined ? [] : [{ name, ...readFilter(value) }]
  })
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      {filters.map((filter) => (
        <FilterArm
          key={filter.name}
          filter={filter}
          onChange={onChange}
          {...(scope && { onPick: () => setPicked(filter.name) })}
        />
      ))}
      {scope && <AddFilter scope={scope} onPick={setPicked} />}
      {children && <div className="ms-auto">{children}</div>}
      {scope && picked && isGroup(picked) && (
        <GroupPicker
          key={picked}
          group={picked}
          search={search}
          onChange={onChange}
          onClose={() => setPicked(null)}
        />
      )}
      {scope && picked && !isGroup(picked) && (
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

type Filter = { name: FilterName; labels: string[]; isExcluded: boolean }

function FilterArm({
  filter: { name, labels, isExcluded },
  onPick,
  onChange,
}: {
  filter: Filter
  /** Opens the choice of its labels; absent: they cannot be changed. */
  onPick?: () => void
  onChange: Props['onChange']
}) {
  const title = text.figures.dimensions[name]
  return (
    <Arm>
      <button
        type="button"
        className="min-h-8 max-md:min-h-11"
        title={text.figures.turnFilter}
        onClick={() => onChange({ [name]: toFilter(labels, !isExcluded) })}
      >
        {title} {isExcluded ? text.figures.isNot : text.figures.is}
      </button>
      <button
        type="button"
        className="min-h-8 max-w-80 min-w-0 truncate font-semibold max-md:min-h-11"
        title={onPick ? text.figures.changeFilter : undefined}
        disabled={!onPick}
        onClick={onPick}
      >
        <Labels name={name} labels={labels} />
      </button>
      <IconButton
        icon="x"
        label={text.actions.removeFilter(title)}
        className="size-7! max-md:size-11!"
        onClick={() => onChange({ [name]: undefined })}
      />
    </Arm>
  )
}

function AddFilter({ scope, onPick }: { scope: Scope; onPick: (name: FilterName) => void }) {
  // The figures of one link, or of a campaign, are filtered by it already.
  const groups = GROUPS.filter((group) => !scope.linkId && !(group in scope))
  return (
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
      {groups.map((group) => (
        <MenuItem key={group} onSelect={() => onPick(group)}>
          {text.figures.dimensions[group]}
        </MenuItem>
      ))}
      {groups.length > 0 && <MenuLine />}
      {DIMENSIONS.map((dimension) => (
        <MenuItem key={dimension} onSelect={() => onPick(dimension)}>
          {text.figures.filterNames[dimension] ?? text.figures.dimensions[dimension]}
        </MenuItem>
      ))}
    </Menu>
  )
}

function Labels({ name, labels }: { name: FilterName; labels: readonly string[] }) {
  if (!isGroup(name)) return labels.map((label) => nameOf(name, label)).join(', ')
  return labels.map((label, at) => (
    <Fragment key={label}>
      {at > 0 && ', '}
      <GroupName group={name} value={label} />
    </Fragment>
  ))
}

function isGroup(name: FilterName): name is Group {
  return (GROUPS as readonly string[]).includes(name)
}
