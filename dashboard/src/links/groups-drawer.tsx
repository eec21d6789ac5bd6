import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { TextField } from '../kit/field.tsx'
import { Empty } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/links.ts'
import { createFolder, groupRowsQuery, removeGroup, renameGroup, type GroupRow } from './groups.ts'
import type { GroupKind, LinksSearch } from './search.ts'

type Props = {
  kind: GroupKind
  mayWrite: boolean
  onKind: (kind: GroupKind) => void
  /** Shows the links of a folder or tag. */
  onShow: (filter: Pick<LinksSearch, 'folderId' | 'tag'>) => void
  onClose: () => void
}

/** Folders and tags of the workspace with their numbers of links. */
export function GroupsDrawer({ kind, mayWrite, onKind, onShow, onClose }: Props) {
  const { id: workspaceId } = useWorkspace()
  const [searched, setSearched] = useState('')
  const groups = usePages(groupRowsQuery(workspaceId, kind, searched.trim()))
  return (
    <Drawer title={text.groups.title} onClose={onClose}>
      <div role="group" aria-label={text.groups.title} className="flex rounded border border-edge">
        {(['folders', 'tags'] as const).map((each) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === kind}
            className={`min-h-9 flex-1 text-sm max-md:min-h-11 ${each === kind ? 'here bg-card font-semibold' : 'text-soft'}`}
            onClick={() => onKind(each)}
          >
            {text.groups.kinds[each]}
          </button>
        ))}
      </div>
      <p className="text-sm text-soft">{text.groups.explain[kind]}</p>
      <TextField
        label={text.groups.search}
        type="search"
        value={searched}
        onValue={setSearched}
        autoComplete="off"
      />
      {mayWrite && kind === 'folders' && <NewFolder />}
      <PagedList
        label={text.groups.kinds[kind]}
        pages={groups}
        className=""
        waiting={{ rows: 4, height: 44 }}
        more={text.groups.more}
        empty={
          <Empty icon={kind === 'folders' ? 'folder' : 'tag'} title={text.groups.none[kind]} />
        }
      >
        {(row) => <Row key={row.id} kind={kind} row={row} mayWrite={mayWrite} onShow={onShow} />}
      </PagedList>
    </Drawer>
  )
}

function NewFolder() {
  const form = useForm({
    start: () => ({ name: '' }),
    save: ({ name }) => createFolder(name.trim()),
    toFieldErrors: atName,
    onSaved: () => {
      form.change({ name: '' })
    },
  })
  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (form.draft.name.trim()) form.save()
      }}
    >
      <div className="flex-1">
        <TextField
          label={text.groups.newFolder}
          maxLength={100}
          autoComplete="off"
          {...form.field('name')}
        />
      </div>
      <Button type="submit" icon="folder-plus" className="mt-6" isBusy={form.isSaving}>
        {text.groups.create}
      </Button>
    </form>
  )
}

/** Each refusal stands at the only field. */
function atName(error: unknown): Record<string, string> {
  return error instanceof ApiError ? { name: error.message } : {}
}

function Row({
  kind,
  row,
  mayWrite,
  onShow,
}: {
  kind: GroupKind
  row: GroupRow
  mayWrite: boolean
  onShow: Props['onShow']
}) {
  const [open, setOpen] = useState<'rename' | 'delete' | null>(null)
  if (open === 'rename') return <Rename kind={kind} row={row} onClose={() => setOpen(null)} />
  return (
    <li className="flex min-h-11 items-center gap-2 border-t border-line text-sm first:border-t-0">
      <button
        type="button"
        className="min-h-9 min-w-0 flex-1 truncate text-start text-lake hover:underline max-md:min-h-11"
        onClick={() => onShow(kind === 'folders' ? { folderId: row.id } : { tag: row.id })}
      >
        {row.name}
      </button>
      <span className="text-soft">{text.links.count(row.links)}</span>
      {mayWrite && (
        <>
          <IconButton
            icon="pencil"
            label={text.groups.rename(row.name)}
            onClick={() => setOpen('rename')}
          />
          <IconButton
            icon="trash-2"
            label={text.groups.delete(row.name)}
            onClick={() => setOpen('delete')}
          />
        </>
      )}
      {open === 'delete' && (
        <Confirm
          title={text.groups.deleteTitle(row.name)}
          action={text.links.delete}
          told={text.links.deleted(row.name)}
          onClose={() => setOpen(null)}
          onConfirm={() => removeGroup(kind, row.id)}
        >
          {text.groups.deleteExplain[kind](row.links)}
        </Confirm>
      )}
    </li>
  )
}

function Rename({ kind, row, onClose }: { kind: GroupKind; row: GroupRow; onClose: () => void }) {
  const form = useForm({
    start: () => ({ name: row.name }),
    save: ({ name }) => renameGroup(kind, row.id, name.trim()),
    toFieldErrors: atName,
    onSaved: onClose,
  })
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (form.draft.name.trim() === row.name) onClose()
          else form.save()
        }}
      >
        <div className="flex-1">
          <TextField
            label={text.groups.newName(row.name)}
            hint={kind === 'tags' ? text.groups.mergeHint : undefined}
            autoFocus
            required
            {...form.field('name')}
          />
        </div>
        <Button type="submit" look="primary" className="mt-6" isBusy={form.isSaving}>
          {text.actions.save}
        </Button>
        <IconButton icon="x" label={text.actions.cancel} className="mt-6" onClick={onClose} />
      </form>
    </li>
  )
}
