import { SelectField, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import type { Draft, Frequency } from './draft.ts'

type Props = {
  draft: Draft
  errors: Partial<Record<string, string>>
  onChange: (part: Partial<Draft>) => void
}

const FREQUENCIES = Object.keys(text.reports.frequencies) as Frequency[]
const HOURS = Array.from({ length: 24 }, (_, hour) => String(hour))

/** When a report is made again, and the members who get a mail then. */
export function ScheduleFields({ draft, errors, onChange }: Props) {
  const { frequency, hour, weekday, timezone, recipients } = draft
  const zones = [...new Set(['UTC', timezone, ...Intl.supportedValuesOf('timeZone')])]
  const ofRecipients = Object.keys(errors).find((path) => path.startsWith('schedule.recipients'))
  return (
    <>
      <SelectField
        label={text.reports.frequency}
        value={frequency}
        options={FREQUENCIES.map((value) => ({ value, label: text.reports.frequencies[value] }))}
        onValue={(value) => onChange({ frequency: value })}
      />
      {frequency === 'weekly' && (
        <SelectField
          label={text.reports.weekday}
          value={weekday}
          options={text.reports.weekdays.map((label, day) => ({ value: String(day), label }))}
          onValue={(value) => onChange({ weekday: value })}
        />
      )}
      {frequency !== 'never' && (
        <>
          <SelectField
            label={text.reports.hour}
            value={hour}
            options={HOURS.map((value) => ({ value, label: `${value.padStart(2, '0')}:00` }))}
            onValue={(value) => onChange({ hour: value })}
          />
          <SelectField
            label={text.reports.timezone}
            value={timezone}
            options={zones.map((value) => ({ value, label: value.replaceAll('_', ' ') }))}
            onValue={(value) => onChange({ timezone: value })}
            error={errors['schedule.timezone']}
          />
          <TextField
            label={text.reports.recipients}
            hint={text.reports.recipientsHint}
            value={recipients}
            onValue={(value) => onChange({ recipients: value })}
            error={ofRecipients && errors[ofRecipients]}
          />
        </>
      )}
    </>
  )
}
