import { api, dataOf } from '../api/client.ts'
import { changesOf } from '../api/conflict.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { optionsOf } from '../kit/lists.ts'
import { useForm, type Form } from '../kit/use-form.ts'
import { UtmFields } from '../kit/utm-fields.tsx'
import { text } from '../text/campaigns.ts'
import { draftOf, toBody, type CampaignDraft } from './draft.ts'
import type { Campaign } from './queries.ts'

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
  const form = useForm({
    start: () => draftOf(campaign),
    save: (draft, { before }) => {
      const body = toBody(draft)
      if (!campaign) return dataOf(api.POST('/campaigns', { body }))
      const params = { path: { id: campaign.id } }
      const changes = changesOf(body, toBody(before))
      return dataOf(api.PATCH('/campaigns/{id}', { params, body: changes }))
    },
    told: ({ name }) => (campaign ? undefined : text.campaigns.created(name)),
    onSaved,
  })
  return (
    <FormDrawer
      form={form}
      title={campaign ? text.campaigns.edit : text.campaigns.new_}
      action={campaign ? text.actions.save : text.campaigns.create}
      onClose={onClose}
    >
      <TextField
        label={text.campaigns.name}
        required
        autoFocus
        maxLength={100}
        {...form.field('name')}
      />
      <TextField label={text.campaigns.description} {...form.field('description')} />
      <SelectField
        label={text.campaigns.status}
        options={optionsOf(text.campaigns.statuses)}
        {...form.field('status')}
      />
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          label={text.campaigns.startsAt}
          type="datetime-local"
          {...form.field('startsAt')}
        />
        <TextField
          label={text.campaigns.endsAt}
          hint={text.campaigns.endsAtHint}
          type="datetime-local"
          {...form.field('endsAt')}
        />
      </div>
      <GoalFields form={form} />
      <TextField
        label={text.campaigns.tags}
        hint={text.campaigns.tagsHint}
        {...form.field('tags')}
      />
      <fieldset className="flex flex-col gap-4">
        <legend className="pb-2">
          <span className="block text-sm font-semibold">{text.campaigns.utm}</span>
          <span className="block text-sm text-soft">{text.campaigns.utmHint}</span>
        </legend>
        <UtmFields form={form} />
      </fieldset>
    </FormDrawer>
  )
}

function GoalFields({ form }: { form: Form<CampaignDraft> }) {
  return (
    <fieldset className="grid gap-4 sm:grid-cols-2">
      <legend className="pb-1 text-sm font-semibold">{text.campaigns.goal}</legend>
      <SelectField
        label={text.campaigns.goalMetric}
        options={[
          { value: '' as const, label: text.campaigns.noGoal },
          ...optionsOf(text.campaigns.metrics),
        ]}
        {...form.field('goalMetric', 'goal.metric')}
      />
      {form.draft.goalMetric !== '' && (
        <TextField
          label={text.campaigns.goalTarget}
          type="number"
          min={1}
          required
          {...form.field('goalTarget', 'goal')}
        />
      )}
    </fieldset>
  )
}
