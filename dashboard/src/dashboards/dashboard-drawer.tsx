import { api, dataOf } from '../api/client.ts'
import { copyText } from '../kit/copy-button.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { showToast } from '../kit/toast.ts'
import { useForm, type Form } from '../kit/use-form.ts'
import { text } from '../text/dashboards.ts'
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
  const form = useForm({
    start: () => draftOf(dashboard, target),
    save: (draft) => {
      const body = toBody(draft)
      if (!dashboard) return dataOf(api.POST('/dashboards', { body }))
      return dataOf(api.PATCH('/dashboards/{id}', { params: { path: { id: dashboard.id } }, body }))
    },
    onSaved: ({ title, url }) => {
      onClose()
      // A browser that refuses the clipboard still shows the button that copies.
      if (!dashboard)
        copyText(url).then(
          () => showToast(text.dashboards.created_(title)),
          () => {},
        )
    },
  })
  const present = form.draft.days
  const days = DAYS.some((each) => each === present) ? DAYS : [present, ...DAYS]
  return (
    <FormDrawer
      form={form}
      title={dashboard ? text.dashboards.edit : text.dashboards.new_}
      action={dashboard ? text.actions.save : text.dashboards.create}
      onClose={onClose}
    >
      <TextField
        label={text.dashboards.titleField}
        hint={text.dashboards.titleHint}
        required
        autoFocus
        maxLength={255}
        {...form.field('title')}
      />
      <TargetFields form={form} />
      <SelectField
        label={text.dashboards.days}
        options={days.map((value) => ({ value, label: text.dashboards.lastDays(Number(value)) }))}
        {...form.field('days')}
      />
      <AccessFields form={form} />
      <p className="text-sm text-soft">{text.dashboards.neverShown}</p>
    </FormDrawer>
  )
}

/** Fields for password, conversions and search engines. */
function AccessFields({ form }: { form: Form<Draft> }) {
  const { draft, before, change } = form
  return (
    <>
      <CheckField
        label={text.dashboards.passwordSwitch}
        hint={text.dashboards.passwordSwitchHint}
        value={draft.hasPassword}
        onValue={(hasPassword) => change({ hasPassword, password: '' })}
      />
      {draft.hasPassword && (
        <TextField
          label={text.dashboards.password}
          hint={before.hasPassword ? text.dashboards.passwordKept : undefined}
          required={!before.hasPassword}
          type="password"
          autoComplete="new-password"
          maxLength={256}
          {...form.field('password')}
        />
      )}
      <CheckField
        label={text.dashboards.conversions}
        hint={text.dashboards.conversionsHint}
        {...form.field('showConversions')}
      />
      {draft.showConversions && (
        <TextField
          label={text.dashboards.currency}
          hint={text.dashboards.currencyHint}
          required
          maxLength={3}
          {...form.field('currency')}
          onValue={(currency) => change({ currency: currency.toUpperCase() })}
        />
      )}
      <CheckField
        label={text.dashboards.index}
        hint={text.dashboards.indexHint}
        {...form.field('doIndex')}
      />
    </>
  )
}
