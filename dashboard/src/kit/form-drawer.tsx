import type { ComponentProps, ReactNode } from 'react'
import { text } from '../text/shared.ts'
import { Button } from './button.tsx'
import { Drawer, Popup } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'
import { onSubmitOf, type AnyForm } from './page-form.tsx'

type Props = {
  form: AnyForm
  title: ReactNode
  /** The name of the button that saves. */
  action: string
  onClose: () => void
  children: ReactNode
}

/** A drawer with a form. A click beside it does not close it once its draft was changed. */
export function FormDrawer({
  form,
  title,
  note,
  action,
  button,
  foot,
  onClose,
  children,
}: Props & {
  note?: ReactNode
  button?: Partial<ComponentProps<typeof Button>>
  /** Beside the button that saves. */
  foot?: ReactNode
}) {
  return (
    <Drawer
      title={title}
      note={note}
      isChanged={form.isChanged}
      onClose={onClose}
      foot={
        <>
          <Button look="primary" type="submit" form={form.id} isBusy={form.isSaving} {...button}>
            {action}
          </Button>
          {foot}
        </>
      }
    >
      <form id={form.id} className="flex flex-col gap-4" onSubmit={onSubmitOf(form)}>
        <ErrorNote error={form.error} />
        {children}
      </form>
    </Drawer>
  )
}

/** A question with a few fields. */
export function FormPopup({
  form,
  title,
  action,
  button,
  onClose,
  children,
}: Props & { button?: Partial<ComponentProps<typeof Button>> }) {
  return (
    <Popup
      title={title}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button look="primary" type="submit" form={form.id} isBusy={form.isSaving} {...button}>
            {action}
          </Button>
        </>
      }
    >
      <form id={form.id} className="flex flex-col gap-3" onSubmit={onSubmitOf(form)}>
        {children}
        <ErrorNote error={form.error} />
      </form>
    </Popup>
  )
}
