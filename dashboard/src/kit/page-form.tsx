import type { ComponentProps, FormEvent, ReactNode } from 'react'
import { Button } from './button.tsx'
import { ErrorNote } from './error-note.tsx'
import type { Form } from './use-form.ts'

/** What an element with a form needs of it. */
export type AnyForm = Pick<Form<never>, 'id' | 'save' | 'error' | 'isSaving' | 'isChanged'>

export function onSubmitOf({ save }: Pick<AnyForm, 'save'>) {
  return (event: FormEvent) => {
    event.preventDefault()
    save()
  }
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
}: {
  form: AnyForm
  /** The name of the button that saves. */
  action: string
  /** The button is as wide as the form. */
  isWide?: boolean
  className?: string
  button?: Partial<ComponentProps<typeof Button>>
  /** Above the button: the outcome. */
  foot?: ReactNode
  children: ReactNode
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
