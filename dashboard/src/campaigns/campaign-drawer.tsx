import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { showToast } from '../kit/toast.ts'
import { UtmFields } from '../kit/utm-fields.tsx'
import { text } from '../text/en.ts'
import { draftOf, toBody, toChanges, type CampaignDraft } from './draft.ts'
import type { Campaign } from './queries.ts'
import { STATUSES } from './search.ts'

const METRICS = ['clicks', 'uniqueVisitors', 'conversions'] as const

/** Creates a campaign, or changes one. */
export function CampaignDrawer({
  campaign = null,
  onClose,
  onSaved,
}: {
  campaign?: Campaign | null
  onClose: () => void
  onSaved: (campaign: Campaign) => void
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [before] = useState(() => draftOf(campaign))
  const [draft, setDraft] = useState(before)
  const change = (part: Partial<CampaignDraft>) => setDraft((now) => ({ ...now, ...part }))
  const save = useMutation({
    mutationFn: () => {
      if (!campaign) return dataOf(api.POST('/campaigns', { body: toBody(draft) }))
      const params = { path: { id: campaign.id } }
      return dataOf(api.PATCH('/campaigns/{id}', { params, body: toChanges(before, draft) }))
    },
    onSuccess: async (saved) => {
      if (!campaign) showToast(text.campaigns.created(saved.name))
      await queryClient.invalidateQueries({ queryKey: [workspaceId] })
      onSaved(saved)
    },
  })
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <FormDrawer
      title={campaign ? text.campaigns.edit : text.campaigns.new_}
      action={campaign ? text.actions.save : text.campaigns.create}
      before={before}
      draft={draft}
      error={save.error}
      isSaving={save.isPending}
      onSave={() => save.mutate()}
      onClose={onClose}
    >
      <CampaignFields draft={draft} errors={errors} onChange={change} />
    </FormDrawer>
  )
}

type FieldsProps = {
  draft: CampaignDraft
  errors: Readonly<Record<string, string>>
  onChange: (part: Partial<CampaignDraft>) => void
}

function CampaignFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <>
      <TextField
        label={text.campaigns.name}
        required
        autoFocus
        maxLength={100}
        value={draft.name}
        onValue={(name) => onChange({ name })}
        error={errors.name}
      />
      <TextField
        label={text.campaigns.description}
        value={draft.description}
        onValue={(description) => onChange({ description })}
        error={errors.description}
      />
      <SelectField
        label={text.campaigns.status}
        value={draft.status}
        options={STATUSES.map((value) => ({ value, label: text.campaigns.statuses[value] }))}
        onValue={(status) => onChange({ status })}
        error={errors.status}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={text.campaigns.startsAt}
          type="datetime-local"
          value={draft.startsAt}
          onValue={(startsAt) => onChange({ startsAt })}
          error={errors.startsAt}
        />
        <TextField
          label={text.campaigns.endsAt}
          hint={text.campaigns.endsAtHint}
          type="datetime-local"
          value={draft.endsAt}
          onValue={(endsAt) => onChange({ endsAt })}
          error={errors.endsAt}
        />
      </div>
      <GoalFields draft={draft} errors={errors} onChange={onChange} />
      <TextField
        label={text.campaigns.tags}
        hint={text.campaigns.tagsHint}
        value={draft.tags}
        onValue={(tags) => onChange({ tags })}
        error={errorUnder(errors, 'tags')}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="pb-2">
          <span className="block text-sm font-semibold">{text.campaigns.utm}</span>
          <span className="block text-sm text-soft">{text.campaigns.utmHint}</span>
        </legend>
        <UtmFields draft={draft} errors={errors} onChange={onChange} />
      </fieldset>
    </>
  )
}

function GoalFields({ draft, errors, onChange }: FieldsProps) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="pb-1 text-sm font-semibold">{text.campaigns.goal}</legend>
      <SelectField
        label={text.campaigns.goalMetric}
        value={draft.goalMetric}
        options={[
          { value: '' as const, label: text.campaigns.noGoal },
          ...METRICS.map((value) => ({ value, label: text.campaigns.metrics[value] })),
        ]}
        onValue={(goalMetric) => onChange({ goalMetric })}
        error={errors['goal.metric']}
      />
      {draft.goalMetric !== '' && (
        <TextField
          label={text.campaigns.goalTarget}
          type="number"
          min={1}
          required
          value={draft.goalTarget}
          onValue={(goalTarget) => onChange({ goalTarget })}
          error={errors['goal.target'] ?? errors.goal}
        />
      )}
    </fieldset>
  )
}

/** The error of a list or of one of its values. */
function errorUnder(errors: Readonly<Record<string, string>>, path: string): string | undefined {
  const found = Object.entries(errors).find(([key]) => key === path || key.startsWith(`${path}.`))
  return found?.[1]
}
