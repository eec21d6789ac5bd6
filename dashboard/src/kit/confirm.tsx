import type { QueryKey } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { text } from '../text/shared.ts'
import { Button } from './button.tsx'
import { Popup } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'
import { TextField } from './field.tsx'
import { useAction } from './use-action.ts'

/** A question before a change that cannot be undone; with `word`, the user types it first. */
export function Confirm({
  title,
  action,
  word,
  told,
  refreshes,
  children,
  onConfirm,
  onGone,
  onClose,
}: {
  title: string
  action: string
  word?: string
  /** The message of a success. */
  told?: string | undefined
  /** Everything of the workspace when absent. */
  refreshes?: readonly QueryKey[]
  children: ReactNode
  onConfirm: () => Promise<unknown>
  /** Leaves a page that has nothing left to show, which closes the question too. */
  onGone?: (() => Promise<unknown>) | undefined
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const confirm = useAction(() => onConfirm().then(onGone), {
    showsErrors: true,
    told: () => told,
    onDone: onGone ? undefined : onClose,
    ...(refreshes && { refreshes }),
  })
  return (
    <Popup
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button
            look="danger"
            isBusy={confirm.isPending}
            disabled={word !== undefined && typed !== word}
            onClick={() => confirm.mutate()}
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="text-sm">{children}</div>
      {word !== undefined && (
        <TextField
          label={text.actions.typeToConfirm(word)}
          value={typed}
          onValue={setTyped}
          autoComplete="off"
          spellCheck={false}
        />
      )}
      <ErrorNote error={confirm.error} />
    </Popup>
  )
}
