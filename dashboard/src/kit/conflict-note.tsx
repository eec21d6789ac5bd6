import { isSame } from '../api/conflict.ts'
import { text } from '../text/shared.ts'
import { Button } from './button.tsx'
import type { Form } from './use-form.ts'

/** Both values of each field that another user has changed, and the choice between them. */
export function ConflictNote<Draft extends object>({
  form: { draft, before, conflict },
  title,
  names,
  show,
}: {
  form: Pick<Form<Draft>, 'draft' | 'before' | 'conflict'>
  title: string
  names: Partial<Record<keyof Draft, string>>
  /** A value as a user reads it. */
  show: (draft: Draft, field: keyof Draft) => string
}) {
  if (!conflict) return null
  const { theirs, fields, resolve } = conflict
  return (
    <div role="alert" className="flex flex-col gap-2 rounded border border-warn p-3 text-sm">
      <p className="font-semibold">{title}</p>
      <dl className="flex flex-col gap-2">
        {fields.map((field) => (
          <div key={String(field)}>
            <dt className="text-soft">{names[field] ?? String(field)}</dt>
            <dd className="wrap-anywhere">
              {text.conflict.isNow} <b className="font-semibold">{show(theirs, field)}</b>
            </dd>
            {!isSame(draft[field], before[field]) && (
              <dd className="wrap-anywhere">
                {text.conflict.isYours} <b className="font-semibold">{show(draft, field)}</b>
              </dd>
            )}
          </div>
        ))}
      </dl>
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => resolve(true)}>{text.conflict.keepMine}</Button>
        <Button onClick={() => resolve(false)}>{text.conflict.takeTheirs}</Button>
      </div>
    </div>
  )
}
