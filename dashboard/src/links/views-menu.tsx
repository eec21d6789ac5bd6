import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { FormPopup } from '../kit/form-drawer.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { useAction } from '../kit/use-action.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/links.ts'
import type { LinksSearch } from './search.ts'
import {
  changeView,
  createView,
  removeView,
  toViewQuery,
  toViewSearch,
  viewsQuery,
  type LinkView,
} from './views.ts'

/** Saved filters, order and columns: the user's own and the shared ones. */
export function ViewsMenu({
  search,
  isListed,
}: {
  search: LinksSearch
  /** The rows have arrived, which views do not delay. */
  isListed: boolean
}) {
  const { id } = useWorkspace()
  const mayWrite = useMay('member')
  const navigate = useNavigate({ from: '/$workspaceId/links' })
  const views = useQuery({ ...viewsQuery(id), enabled: isListed }).data ?? []
  const query = toViewQuery(search)
  const shown = views.find((view) => view.query === query)
  const [open, setOpen] = useState<'new' | 'edit' | null>(null)
  const act = useAction((run: () => Promise<unknown>) => run(), { told: () => text.views.deleted })
  if (views.length === 0 && query === '') return null
  return (
    <>
      <Menu trigger={<Button icon="star">{shown?.name ?? text.views.title}</Button>}>
        {views.map((view) => (
          <MenuItem
            key={view.id}
            icon={view === shown ? 'check' : view.isShared ? 'users' : 'user'}
            onSelect={() => void navigate({ search: toViewSearch(view.query) })}
          >
            {view.name}
          </MenuItem>
        ))}
        {views.length > 0 && query !== '' && (
          <MenuItem icon="x" onSelect={() => void navigate({ search: {} })}>
            {text.views.none}
          </MenuItem>
        )}
        {mayWrite && views.length > 0 && (query !== '' || shown) && <MenuLine />}
        {mayWrite && !shown && query !== '' && (
          <MenuItem icon="plus" onSelect={() => setOpen('new')}>
            {text.views.save}
          </MenuItem>
        )}
        {mayWrite && shown && (
          <MenuItem icon="pencil" onSelect={() => setOpen('edit')}>
            {text.views.edit(shown.name)}
          </MenuItem>
        )}
        {mayWrite && shown && (
          <MenuItem icon="trash-2" isDanger onSelect={() => act.mutate(() => removeView(shown.id))}>
            {text.views.delete(shown.name)}
          </MenuItem>
        )}
      </Menu>
      {open === 'new' && <ViewPopup view={null} query={query} onClose={() => setOpen(null)} />}
      {open === 'edit' && shown && (
        <ViewPopup view={shown} query={query} onClose={() => setOpen(null)} />
      )}
    </>
  )
}

function ViewPopup({
  view,
  query,
  onClose,
}: {
  view: LinkView | null
  query: string
  onClose: () => void
}) {
  const form = useForm({
    start: () => ({ name: view?.name ?? '', isShared: view?.isShared ?? false }),
    check: ({ name }): Record<string, string> =>
      name.trim() === '' ? { name: text.views.noName } : {},
    save: (draft) => (view ? changeView(view.id, draft) : createView(draft, query)),
    told: () => text.views.saved,
    onSaved: onClose,
  })
  return (
    <FormPopup
      form={form}
      title={view ? text.views.edit(view.name) : text.views.save}
      action={text.actions.save}
      onClose={onClose}
    >
      <TextField
        label={text.views.name}
        maxLength={50}
        autoFocus
        autoComplete="off"
        {...form.field('name')}
      />
      <CheckField
        label={text.views.share}
        hint={text.views.shareHint}
        {...form.field('isShared')}
      />
    </FormPopup>
  )
}
