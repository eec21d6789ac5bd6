import { SelectField, TextField } from '../kit/field.tsx'
import { optionsOf, zoneOptions } from '../kit/lists.ts'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/reports.ts'
import type { Draft } from './draft.ts'

const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))

/** When a report is made again, and the members who get a mail then. */
export function ScheduleFields({ form }: { form: Form<Draft> }) {
  const { frequency, timezone } = form.draft
  return (
    <>
      <SelectField
        label={text.reports.frequency}
        options={optionsOf(text.reports.frequencies)}
        {...form.field('frequency')}
      />
      {frequency === 'weekly' && (
        <SelectField
          label={text.reports.weekday}
          options={text.reports.weekdays.map((label, day) => ({ value: String(day), label }))}
          {...form.field('weekday')}
        />
      )}
      {frequency !== 'never' && (
        <>
          <SelectField
            label={text.reports.hour}
            options={HOURS.map((value) => ({ value, label: `${value.padStart(2, '0')}:00` }))}
            {...form.field('hour')}
          />
          <SelectField
            label={text.reports.timezone}
            options={zoneOptions(timezone)}
            {...form.field('timezone', 'schedule.timezone')}
          />
          <TextField
            label={text.reports.recipients}
            hint={text.reports.recipientsHint}
            {...form.field('recipients', 'schedule.recipients')}
          />
        </>
      )}
    </>
  )
}
