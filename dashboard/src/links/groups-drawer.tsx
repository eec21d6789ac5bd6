import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { ApiError } from '../api/errors.ts'
import { usePages } from '../api/pages.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { Empty, Skeleton } from '../kit/layout.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
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
  const { list: groups, rows } = usePages(groupRowsQuery(workspaceId, kind, searched.trim()))
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
      <ErrorNote error={groups.error} onRetry={() => void groups.refetch()} />
      {groups.isPending && <Skeleton rows={4} />}
      {groups.data && rows.length === 0 && (
        <Empty icon={kind === 'folders' ? 'folder' : 'tag'} title={text.groups.none[kind]} />
      )}
      <ul aria-label={text.groups.kinds[kind]}>
        {rows.map((row) => (
          <Row key={row.id} kind={kind} row={row} mayWrite={mayWrite} onShow={onShow} />
        ))}
      </ul>
      {groups.hasNextPage && (
        <Button isBusy={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>
          {text.groups.more}
        </Button>
      )}
    </Drawer>
  )
}

function useRefresh(): () => Promise<unknown> {
  const { id } = useWorkspace()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: [id] })
}

const messageOf = (error: unknown) => (error instanceof ApiError ? error.message : undefined)

function NewFolder() {
  const [name, setName] = useState('')
  const refresh = useRefresh()
  const create = useMutation({
    mutationFn: () => createFolder(name.trim()),
    onSuccess: () => {
      setName('')
      return refresh()
    },
  })
  return (
    <form
      className="flex items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim()) create.mutate()
      }}
    >
      <div className="flex-1">
        <TextField
          label={text.groups.newFolder}
          value={name}
          onValue={setName}
          maxLength={100}
          autoComplete="off"
          error={messageOf(create.error)}
        />
      </div>
      <Button type="submit" icon="folder-plus" className="mt-6" isBusy={create.isPending}>
        {text.groups.create}
      </Button>
    </form>
  )
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
  const refresh = useRefresh()
  if (open === 'rename')
    return <Rename kind={kind} row={row} onClose={() => setOpen(null)} onDone={refresh} />
  return (
    <li className="flex min-h-11 items-center gap-2 border-t border-line text-sm first:border-t-0">
      <button
        type="button"
        className="min-h-9 min-w-0 flex-1 truncate text-left text-lake hover:underline max-md:min-h-11"
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
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await removeGroup(kind, row.id)
            showToast(text.links.deleted(row.name))
            await refresh()
          }}
        >
          {text.groups.deleteExplain[kind](row.links)}
        </Confirm>
      )}
    </li>
  )
}

function Rename({
  kind,
  row,
  onClose,
  onDone,
}: {
  kind: GroupKind
  row: GroupRow
  onClose: () => void
  onDone: () => Promise<unknown>
}) {
  const [name, setName] = useState(row.name)
  const save = useMutation({
    mutationFn: () => renameGroup(kind, row.id, name.trim()),
    onSuccess: () => onDone().then(onClose),
  })
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <form
        className="flex items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim() === row.name) onClose()
          else save.mutate()
        }}
      >
        <div className="flex-1">
          <TextField
            label={text.groups.newName(row.name)}
            hint={kind === 'tags' ? text.groups.mergeHint : undefined}
            value={name}
            onValue={setName}
            autoFocus
            required
            error={messageOf(save.error)}
          />
        </div>
        <Button type="submit" look="primary" className="mt-6" isBusy={save.isPending}>
          {text.actions.save}
        </Button>
        <IconButton icon="x" label={text.actions.cancel} className="mt-6" onClick={onClose} />
      </form>
    </li>
  )
}
