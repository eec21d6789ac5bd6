import { useState } from 'react'
import { Button, IconButton } from '../kit/button.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { text } from '../text/links.ts'
import { changeLinks, type Target } from './bulk.ts'
import { countOf, useBulkAction, type useDeletion } from './bulk-actions.tsx'

type Props = {
  target: Target
  /** Selects all links of the filter; null when they are, or when none is left over. */
  onSelectAll: (() => void) | null
  allCount: string
  deletion: Pick<ReturnType<typeof useDeletion>, 'ask' | 'isDeleting'>
  onDone: () => void
}

/** The most that one archive may have. */
const MAX_CODES = 100

const QrCodesPopup = lazyPart(() => import('./qr-codes-popup.tsx'), 'QrCodesPopup')
const BulkDrawer = lazyPart(() => import('./bulk-drawer.tsx'), 'BulkDrawer')

/** Actions on the selected links; each one offers an undo. */
export function BulkBar({ target, onSelectAll, allCount, deletion, onDone }: Props) {
  const [open, setOpen] = useState<'edit' | 'qr' | null>(null)
  const act = useBulkAction(onDone)
  // A blocked link can be deleted, and nothing else.
  const changed =
    'filter' in target
      ? target
      : { links: target.links.filter(({ status }) => status !== 'blocked') }
  return (
    <div className="sticky bottom-4 z-10 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-1 rounded border border-edge bg-card p-1 shadow-popup max-md:bottom-18">
      <span className="px-2 text-sm font-semibold" aria-live="polite">
        {text.linkList.selected(countOf(target))}
      </span>
      {onSelectAll && (
        <Button look="quiet" className="text-lake!" onClick={onSelectAll}>
          {text.linkList.allMatching(allCount)}
        </Button>
      )}
      {'links' in target && target.links.length <= MAX_CODES && (
        <Button look="quiet" icon="qr-code" onClick={() => setOpen('qr')}>
          {text.links.qr}
        </Button>
      )}
      {countOf(changed) > 0 && (
        <>
          <Button look="quiet" icon="pencil" onClick={() => setOpen('edit')}>
            {text.actions.edit}
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
        isBusy={deletion.isDeleting}
        onClick={() => deletion.ask(target)}
      >
        {text.linkList.delete}
      </Button>
      <IconButton icon="x" label={text.linkList.clearSelection} onClick={onDone} />
      {open === 'edit' && (
        <BulkDrawer target={changed} onClose={() => setOpen(null)} onDone={onDone} />
      )}
      {open === 'qr' && 'links' in target && (
        <QrCodesPopup links={target.links} onClose={() => setOpen(null)} />
      )}
    </div>
  )
}
