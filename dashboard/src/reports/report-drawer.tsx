import { api, dataOf } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { SelectField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { optionsOf } from '../kit/lists.ts'
import { useForm, type Form } from '../kit/use-form.ts'
import { text } from '../text/reports.ts'
import { DAYS, draftOf, toChange, toNew, type Draft } from './draft.ts'
import type { Report } from './queries.ts'
import { ScheduleFields } from './schedule-fields.tsx'

/** Asks for a report, or changes one. */
export function ReportDrawer({
  report = null,
  onClose,
}: {
  report?: Report | null
  onClose: () => void
}) {
  const { timezone } = useWorkspace()
  const form = useForm({
    start: () => draftOf(report, timezone),
    save: (draft) => {
      if (!report) return dataOf(api.POST('/reports', { body: toNew(draft) }))
      const params = { path: { id: report.id } }
      return dataOf(api.PATCH('/reports/{id}', { params, body: toChange(draft, report) }))
    },
    told: ({ name }) => (report ? undefined : text.reports.asked(name)),
    onSaved: onClose,
  })
  const { days } = form.draft
  return (
    <FormDrawer
      form={form}
      title={report ? text.reports.edit : text.reports.new_}
      action={report ? text.actions.save : text.reports.create}
      onClose={onClose}
    >
      <TextField
        label={text.reports.name}
        hint={report ? undefined : text.reports.nameHint}
        required={report !== null}
        autoFocus
        maxLength={100}
        {...form.field('name')}
      />
      {!report && <ContentFields form={form} />}
      {days !== '' && (
        <SelectField
          label={text.reports.days}
          options={toDays(days)}
          {...form.field('days', 'filters.days')}
        />
      )}
      <ScheduleFields form={form} />
    </FormDrawer>
  )
}

function toDays(present: string): { value: string; label: string }[] {
  const days = DAYS.some((each) => each === present) ? DAYS : [present, ...DAYS]
  return days.map((value) => ({ value, label: text.reports.lastDays(Number(value)) }))
}

function ContentFields({ form }: { form: Form<Draft> }) {
  const isAdmin = useMay('admin')
  const types = optionsOf(text.reports.types)
  return (
    <>
      <SelectField
        label={text.reports.type}
        options={types.filter(({ value }) => value !== 'audit_log' || isAdmin)}
        {...form.field('type')}
      />
      <SelectField
        label={text.reports.format}
        options={optionsOf(text.reports.formats)}
        {...form.field('format')}
      />
    </>
  )
}
