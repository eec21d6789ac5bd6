import { useId, type ReactNode } from 'react'
import { ApiError } from '../api/errors.ts'
import { Button } from './button.tsx'
import { Drawer } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'

/** A drawer with a form. Errors of fields stand at the fields, all others above them. */
export function FormDrawer<Draft>({
  title,
  action,
  before,
  draft,
  error,
  isSaving,
  onSave,
  onClose,
  children,
}: {
  title: string
  /** The name of the button that saves. */
  action: string
  before: Draft
  /** A click beside the drawer does not close it once the draft differs from `before`. */
  draft: Draft
  error: unknown
  isSaving: boolean
  onSave: () => void
  onClose: () => void
  children: ReactNode
}) {
  const id = useId()
  const isOfFields = error instanceof ApiError && Object.keys(error.fieldErrors).length > 0
  return (
    <Drawer
      title={title}
      isChanged={JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form={id} isBusy={isSaving}>
          {action}
        </Button>
      }
    >
      <form
        id={id}
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          onSave()
        }}
      >
        {!isOfFields && <ErrorNote error={error} />}
        {children}
      </form>
    </Drawer>
  )
}
