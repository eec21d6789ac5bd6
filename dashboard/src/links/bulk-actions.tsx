import { useState } from 'react'
import { Confirm } from '../kit/confirm.tsx'
import { showToast } from '../kit/toast.ts'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/links.ts'
import { deleteLinks, undoMany, type Outcome, type Target } from './bulk.ts'

type Action = { run: () => Promise<Outcome>; toMessage: (count: number) => string }

/** Runs an action on many links, tells its outcome, and offers to take it back. */
export function useBulkAction(onDone: () => void) {
  return useAction(({ run }: Action) => run(), {
    told: (outcome, { toMessage }) => toldOf(outcome, toMessage),
    undo: toUndo,
    onDone,
  })
}

/** The message of an outcome; undefined: nothing was changed. What failed is told by itself. */
export function toldOf(
  { succeeded, failed, message }: Outcome,
  toMessage: Action['toMessage'],
): string | undefined {
  if (failed > 0) showToast(text.linkList.failed(failed, message), { isError: true })
  return succeeded > 0 ? toMessage(succeeded) : undefined
}

export function toUndo({ undoIds }: Outcome) {
  return undoIds.length === 0 ? null : () => undoMany(undoIds)
}

/** Deletes links, after a question where they have clicks; each deletion offers an undo. */
export function useDeletion(onDone: () => void) {
  const [asked, setAsked] = useState<Target | null>(null)
  const remove = useBulkAction(onDone)
  const run = (target: Target) =>
    remove.mutateAsync({ run: () => deleteLinks(target), toMessage: text.linkList.deleted })
  return {
    isDeleting: remove.isPending,
    ask: (target: Target) => {
      if (hasClicks(target)) setAsked(target)
      // The action tells a failure.
      else void run(target).catch(() => {})
    },
    question: asked && (
      <Confirm
        title={text.linkList.deleteTitle(countOf(asked))}
        action={text.links.delete}
        onConfirm={() => run(asked)}
        onClose={() => setAsked(null)}
      >
        {text.linkList.deleteExplain}
      </Confirm>
    ),
  }
}

function hasClicks(target: Target): boolean {
  return 'filter' in target || target.links.some(({ clicks }) => clicks > 0)
}

export function countOf(target: Target): number {
  return 'filter' in target ? target.count : target.links.length
}
