import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { copyText } from '../kit/copy-button.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { DAYS, draftOf, toBody, type Draft } from './draft.ts'
import type { Dashboard } from './queries.ts'
import type { DashboardsSearch } from './search.ts'
import { TargetFields } from './target-fields.tsx'

type Props = {
  dashboard?: Dashboard | null
  /** Preset of a new dashboard. */
  target?: DashboardsSearch
  onClose: () => void
}

/** Shares a dashboard, or changes one. The address of a new one is copied. */
export function DashboardDrawer({ dashboard = null, target = {}, onClose }: Props) {
  const [before] = useState(() => draftOf(dashboard, target))
  const [draft, setDraft] = useState(before)
  const save = useSave(dashboard, onClose)
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const days = DAYS.some((each) => each === draft.days) ? DAYS : [draft.days, ...DAYS]
  return (
    <FormDrawer
      title={dashboard ? text.dashboards.edit : text.dashboards.new_}
      action={dashboard ? text.actions.save : text.dashboards.create}
      before={before}
      draft={draft}
      error={save.error}
      isSaving={save.isPending}
      onSave={() => save.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label={text.dashboards.titleField}
        hint={text.dashboards.titleHint}
        required
        autoFocus
        maxLength={255}
        value={draft.title}
        onValue={(title) => change({ title })}
        error={errors.title}
      />
      <TargetFields draft={draft} errors={errors} onChange={change} />
      <SelectField
        label={text.dashboards.days}
        value={draft.days}
        options={days.map((value) => ({ value, label: text.dashboards.lastDays(Number(value)) }))}
        onValue={(value) => change({ days: value })}
        error={errors.days}
      />
      <AccessFields
        draft={draft}
        errors={errors}
        hadPassword={before.hasPassword}
        onChange={change}
      />
      <p className="text-sm text-soft">{text.dashboards.neverShown}</p>
    </FormDrawer>
  )
}

type AccessProps = {
  draft: Draft
  errors: Partial<Record<string, string>>
  hadPassword: boolean
  onChange: (part: Partial<Draft>) => void
}

/** Fields for password, conversions and search engines. */
function AccessFields({ draft, errors, hadPassword, onChange }: AccessProps) {
  return (
    <>
      <CheckField
        label={text.dashboards.passwordSwitch}
        hint={text.dashboards.passwordSwitchHint}
        checked={draft.hasPassword}
        onChecked={(hasPassword) => onChange({ hasPassword, password: '' })}
      />
      {draft.hasPassword && (
        <TextField
          label={text.dashboards.password}
          hint={hadPassword ? text.dashboards.passwordKept : undefined}
          required={!hadPassword}
          type="password"
          autoComplete="new-password"
          maxLength={256}
          value={draft.password}
          onValue={(password) => onChange({ password })}
          error={errors.password}
        />
      )}
      <CheckField
        label={text.dashboards.conversions}
        hint={text.dashboards.conversionsHint}
        checked={draft.showConversions}
        onChecked={(showConversions) => onChange({ showConversions })}
      />
      {draft.showConversions && (
        <TextField
          label={text.dashboards.currency}
          hint={text.dashboards.currencyHint}
          required
          maxLength={3}
          value={draft.currency}
          onValue={(currency) => onChange({ currency: currency.toUpperCase() })}
          error={errors.currency}
        />
      )}
      <CheckField
        label={text.dashboards.index}
        hint={text.dashboards.indexHint}
        checked={draft.doIndex}
        onChecked={(doIndex) => onChange({ doIndex })}
      />
    </>
  )
}

function useSave(dashboard: Dashboard | null, onClose: () => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (draft: Draft) => {
      const body = toBody(draft)
      if (!dashboard) return dataOf(api.POST('/dashboards', { body }))
      const params = { path: { id: dashboard.id } }
      return dataOf(api.PATCH('/dashboards/{id}', { params, body }))
    },
    onSuccess: async ({ title, url }) => {
      if (!dashboard)
        // A browser that refuses the clipboard still shows the button that copies.
        await copyText(url).then(
          () => showToast(text.dashboards.created_(title)),
          () => {},
        )
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'dashboards'] })
      onClose()
    },
  })
}
