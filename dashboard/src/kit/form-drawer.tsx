import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { text } from '../text/en.ts'
import { Button } from './button.tsx'
import { Drawer, Popup } from './drawer.tsx'
import { ErrorNote } from './error-note.tsx'
import type { Form } from './use-form.ts'

type AnyForm = Pick<Form<never>, 'id' | 'save' | 'error' | 'isSaving' | 'isChanged'>

type Props = {
  form: AnyForm
  title: ReactNode
  /** The name of the button that saves. */
  action: string
  onClose: () => void
  children: ReactNode
}

function onSubmitOf({ save }: Pick<AnyForm, 'save'>) {
  return (event: FormEvent) => {
    event.preventDefault()
    save()
  }
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

/** A form of a page, with its button at its end. */
export function PageForm({
  form,
  action,
  isWide = false,
  className = '',
  button,
  foot,
  children,
}: Pick<Props, 'form' | 'action' | 'children'> & {
  /** The button is as wide as the form. */
  isWide?: boolean
  className?: string
  button?: Partial<ComponentProps<typeof Button>>
  /** Above the button: the outcome. */
  foot?: ReactNode
}) {
  const submit = (
    <Button type="submit" isBusy={form.isSaving} {...button}>
      {action}
    </Button>
  )
  return (
    <form id={form.id} className={`flex flex-col gap-4 ${className}`} onSubmit={onSubmitOf(form)}>
      {children}
      <ErrorNote error={form.error} />
      {foot}
      {isWide ? submit : <div>{submit}</div>}
    </form>
  )
}
