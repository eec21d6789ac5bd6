import { api, dataOf } from '../api/client.ts'
import { TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { useForm } from '../kit/use-form.ts'
import { toUtmValues, utmDraftOf, UtmFields } from '../kit/utm-fields.tsx'
import { text } from '../text/campaigns.ts'
import type { UtmTemplate } from './queries.ts'

/** Creates a template, or changes one; the address below follows while the user types. */
export function TemplateDrawer({
  template = null,
  onClose,
}: {
  template?: UtmTemplate | null
  onClose: () => void
}) {
  const form = useForm({
    start: () => ({ ...utmDraftOf(template), name: template?.name ?? '' }),
    save: (draft) => {
      const body = { name: draft.name.trim(), ...toUtmValues(draft) }
      if (!template) return dataOf(api.POST('/utm-templates', { body }))
      const params = { path: { id: template.id } }
      return dataOf(api.PATCH('/utm-templates/{id}', { params, body }))
    },
    told: ({ name }) => (template ? undefined : text.templates.created(name)),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={template ? text.templates.edit : text.templates.new_}
      action={template ? text.actions.save : text.templates.create}
      onClose={onClose}
    >
      <TextField
        label={text.templates.name}
        required
        autoFocus
        maxLength={100}
        {...form.field('name')}
      />
      <UtmFields form={form} />
    </FormDrawer>
  )
}
