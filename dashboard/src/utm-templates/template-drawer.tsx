import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { showToast } from '../kit/toast.ts'
import { toUtmValues, utmDraftOf, UtmFields } from '../kit/utm-fields.tsx'
import { text } from '../text/en.ts'
import type { UtmTemplate } from './queries.ts'

/** Creates a template, or changes one; the address below follows while the user types. */
export function TemplateDrawer({
  template = null,
  onClose,
}: {
  template?: UtmTemplate | null
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [before] = useState(() => ({ ...utmDraftOf(template), name: template?.name ?? '' }))
  const [draft, setDraft] = useState(before)
  const save = useMutation({
    mutationFn: () => {
      const body = { name: draft.name.trim(), ...toUtmValues(draft) }
      if (!template) return dataOf(api.POST('/utm-templates', { body }))
      const params = { path: { id: template.id } }
      return dataOf(api.PATCH('/utm-templates/{id}', { params, body }))
    },
    onSuccess: async ({ name }) => {
      if (!template) showToast(text.templates.created(name))
      await queryClient.invalidateQueries({ queryKey: [workspaceId] })
      onClose()
    },
  })
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <FormDrawer
      title={template ? text.templates.edit : text.templates.new_}
      action={template ? text.actions.save : text.templates.create}
      before={before}
      draft={draft}
      error={save.error}
      isSaving={save.isPending}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <TextField
        label={text.templates.name}
        required
        autoFocus
        maxLength={100}
        value={draft.name}
        onValue={(name) => setDraft((now) => ({ ...now, name }))}
        error={errors.name}
      />
      <UtmFields
        draft={draft}
        errors={errors}
        onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
      />
    </FormDrawer>
  )
}
