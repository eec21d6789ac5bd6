import { useState } from 'react'
import { useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField, TextField } from '../kit/field.tsx'
import { splitList } from '../kit/lists.ts'
import { showToast } from '../kit/toast.ts'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/links.ts'
import { changeLinks, deleteLinks, undoMany, type Outcome, type Target } from './bulk.ts'
import { useGroups } from './queries.ts'

type Props = {
  target: Target
  /** Selects all links of the filter; null when they are, or when none is left over. */
  onSelectAll: (() => void) | null
  allCount: string
  onDone: () => void
}

/** Actions on the selected links; each one offers an undo. */
export function BulkBar({ target, onSelectAll, allCount, onDone }: Props) {
  const [open, setOpen] = useState<'tags' | 'move' | null>(null)
  const act = useBulkAction(onDone)
  const count = 'filter' in target ? target.count : target.links.length
  // A blocked link can be deleted, and nothing else.
  const changed =
    'filter' in target
      ? target
      : { links: target.links.filter(({ status }) => status !== 'blocked') }
  const changedCount = 'filter' in changed ? changed.count : changed.links.length
  return (
    <div className="sticky bottom-4 z-10 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-1 rounded border border-edge bg-card p-1 shadow-popup max-md:bottom-18">
      <span className="px-2 text-sm font-semibold" aria-live="polite">
        {text.linkList.selected(count)}
      </span>
      {onSelectAll && (
        <Button look="quiet" className="text-lake!" onClick={onSelectAll}>
          {text.linkList.allMatching(allCount)}
        </Button>
      )}
      {changedCount > 0 && (
        <>
          <Button look="quiet" icon="tag" onClick={() => setOpen('tags')}>
            {text.linkList.tag}
          </Button>
          <Button look="quiet" icon="folder" onClick={() => setOpen('move')}>
            {text.linkList.move}
          </Button>
          <Button
            look="quiet"
            icon="archive"
            isBusy={act.isPending}
            onClick={() =>
              act.mutate({
                run: () => changeLinks(changed, { status: 'archived' }),
                toMessage: text.linkList.archived,
              })
            }
          >
            {text.linkList.archive}
          </Button>
        </>
      )}
      <Button
        look="quiet"
        icon="trash-2"
        hotkey="#"
        className="text-stop!"
        isBusy={act.isPending}
        onClick={() =>
          act.mutate({ run: () => deleteLinks(target), toMessage: text.linkList.deleted })
        }
      >
        {text.linkList.delete}
      </Button>
      <IconButton icon="x" label={text.linkList.clearSelection} onClick={onDone} />
      {open === 'tags' && (
        <TagPopup
          target={changed}
          count={changedCount}
          onClose={() => setOpen(null)}
          onDone={onDone}
        />
      )}
      {open === 'move' && (
        <MovePopup
          target={changed}
          count={changedCount}
          onClose={() => setOpen(null)}
          onDone={onDone}
        />
      )}
    </div>
  )
}

type Action = { run: () => Promise<Outcome>; toMessage: (count: number) => string }

/** Runs an action on many links, tells its outcome, and offers to take it back. */
export function useBulkAction(onDone: () => void) {
  return useAction(({ run }: Action) => run(), {
    told: ({ succeeded, failed, message }, { toMessage }) => {
      onDone()
      if (failed > 0) showToast(text.linkList.failed(failed, message), { isError: true })
      return succeeded > 0 ? toMessage(succeeded) : undefined
    },
    undo: ({ undoIds }) => (undoIds.length === 0 ? null : () => undoMany(undoIds)),
  })
}

type PopupProps = { target: Target; count: number; onClose: () => void; onDone: () => void }

function TagPopup({ target, count, onClose, onDone }: PopupProps) {
  const [mode, setMode] = useState<'change' | 'replace'>('change')
  const [added, setAdded] = useState('')
  const [removed, setRemoved] = useState('')
  const act = useBulkAction(() => {
    onClose()
    onDone()
  })
  const known = 'links' in target ? [...new Set(target.links.flatMap(({ tags }) => tags))] : []
  const isChange = mode === 'change'
  const [addTags, removeTags] = [splitList(added), splitList(removed)]
  const isNothing = isChange && addTags.length === 0 && removeTags.length === 0
  const apply = () =>
    act.mutate({
      run: () => changeLinks(target, isChange ? { addTags, removeTags } : { tags: addTags }),
      toMessage: text.linkList.changed,
    })
  return (
    <Popup
      title={text.linkList.tagTitle(count)}
      onClose={onClose}
      foot={<ApplyButton isBusy={act.isPending} isOff={isNothing} form="bulk-tags" />}
    >
      <form
        id="bulk-tags"
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isNothing) apply()
        }}
      >
        <SelectField
          label={text.linkList.tagMode}
          value={mode}
          options={[
            { value: 'change', label: text.linkList.tagModes.change },
            { value: 'replace', label: text.linkList.tagModes.replace },
          ]}
          onValue={setMode}
        />
        <TextField
          label={isChange ? text.linkList.addTags : text.linkList.newTags}
          hint={isChange ? text.links.tagsHint : text.linkList.newTagsHint}
          autoFocus
          value={added}
          onValue={setAdded}
        />
        {isChange && (
          <TextField
            label={text.linkList.removeTags}
            hint={known.slice(0, 20).join(', ') || text.links.tagsHint}
            value={removed}
            onValue={setRemoved}
          />
        )}
      </form>
      <ErrorNote error={act.error} />
    </Popup>
  )
}

const UNCHANGED = 'unchanged'

function MovePopup({ target, count, onClose, onDone }: PopupProps) {
  const { id } = useWorkspace()
  const { folders, campaigns } = useGroups(id)
  const [folderId, setFolderId] = useState(UNCHANGED)
  const [campaignId, setCampaignId] = useState(UNCHANGED)
  const act = useBulkAction(() => {
    onClose()
    onDone()
  })
  const optionsOf = (rows: readonly { id: string; name: string }[] = []) => [
    { value: UNCHANGED, label: text.linkList.unchanged },
    { value: '', label: text.links.none },
    ...rows.map(({ id: value, name: label }) => ({ value, label })),
  ]
  const apply = () =>
    act.mutate({
      run: () =>
        changeLinks(target, {
          ...(folderId === UNCHANGED ? {} : { folderId: folderId || null }),
          ...(campaignId === UNCHANGED ? {} : { campaignId: campaignId || null }),
        }),
      toMessage: text.linkList.changed,
    })
  return (
    <Popup
      title={text.linkList.moveTitle(count)}
      onClose={onClose}
      foot={
        <ApplyButton
          isBusy={act.isPending}
          isOff={folderId === UNCHANGED && campaignId === UNCHANGED}
          onApply={apply}
        />
      }
    >
      <SelectField
        label={text.links.folder}
        value={folderId}
        options={optionsOf(folders)}
        onValue={setFolderId}
      />
      <SelectField
        label={text.links.campaign}
        value={campaignId}
        options={optionsOf(campaigns)}
        onValue={setCampaignId}
      />
      <ErrorNote error={act.error} />
    </Popup>
  )
}

function ApplyButton({
  isBusy,
  isOff = false,
  form,
  onApply,
}: {
  isBusy: boolean
  isOff?: boolean
  form?: string
  onApply?: () => void
}) {
  return (
    <Button
      look="primary"
      isBusy={isBusy}
      disabled={isOff}
      {...(form ? { type: 'submit', form } : { onClick: onApply })}
    >
      {text.linkList.apply}
    </Button>
  )
}
