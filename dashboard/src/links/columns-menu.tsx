import { Button } from '../kit/button.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { text } from '../text/links.ts'
import { COLUMNS, DEFAULT_COLUMNS, type Column } from './columns.ts'
import { columnsOf, type LinksSearch } from './search.ts'

/** The choice of columns, which phones have no room for. */
export function ColumnsMenu({
  search,
  onChange,
}: {
  search: LinksSearch
  onChange: (part: Partial<LinksSearch>, replace?: boolean) => void
}) {
  const shown = columnsOf(search)
  const toggle = (column: Column) => {
    const next = COLUMNS.filter((each) => shown.includes(each) !== (each === column)).join(',')
    onChange({ columns: next === DEFAULT_COLUMNS.join(',') ? undefined : next }, true)
  }
  return (
    <span className="max-md:hidden">
      <Menu trigger={<Button icon="list">{text.linkList.chooseColumns}</Button>}>
        {COLUMNS.map((column) => (
          <MenuItem key={column} isChecked={shown.includes(column)} onSelect={() => toggle(column)}>
            {text.linkList.columnNames[column]}
          </MenuItem>
        ))}
      </Menu>
    </span>
  )
}
