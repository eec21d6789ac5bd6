import { useState, type ReactNode } from 'react'
import { text } from '../text/en.ts'
import { Button } from './button.tsx'
import { Popup } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'
import { TextField } from './field.tsx'

/** A question before a change that cannot be undone; with `word`, the user types it first. */
export function Confirm({
  title,
  action,
  word,
  children,
  onConfirm,
  onDone,
  onClose,
}: {
  title: string
  action: string
  word?: string
  children: ReactNode
  onConfirm: () => Promise<unknown>
  /** After the change; the question is closed when absent. */
  onDone?: () => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const confirm = async () => {
    setBusy(true)
    setError(null)
    try {
      await onConfirm()
      ;(onDone ?? onClose)()
    } catch (thrown) {
      setError(thrown)
      setBusy(false)
    }
  }
  return (
    <Popup
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button
            look="danger"
            isBusy={isBusy}
            disabled={word !== undefined && typed !== word}
            onClick={() => void confirm()}
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
      <ErrorNote error={error} />
    </Popup>
  )
}
