import { CheckField, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import type { EndpointDraft } from './endpoint-draft.ts'
import { EventChoice } from './event-choice.tsx'
import { HeaderRows } from './header-rows.tsx'

type Props = {
  draft: EndpointDraft
  /** Messages of the server by the path of their field. */
  errors: Record<string, string>
  onChange: (part: Partial<EndpointDraft>) => void
}

/** The fields of an endpoint. */
export function EndpointForm({ draft, errors, onChange }: Props) {
  return (
    <>
      <TextField
        label={text.webhooks.url}
        hint={text.webhooks.urlHint}
        name="url"
        type="url"
        required
        autoFocus
        placeholder="https://"
        className="font-mono"
        value={draft.url}
        onValue={(url) => onChange({ url })}
        error={errors.url}
      />
      <TextField
        label={text.webhooks.description}
        maxLength={500}
        value={draft.description}
        onValue={(description) => onChange({ description })}
        error={errors.description}
      />
      <EventFields draft={draft} errors={errors} onChange={onChange} />
      <HeaderRows
        headers={draft.headers}
        errors={messagesUnder(errors, 'headers')}
        onChange={(headers) => onChange({ headers })}
      />
      <FailureFields draft={draft} errors={errors} onChange={onChange} />
      <CheckField
        label={text.webhooks.standardHeaders}
        hint={text.webhooks.standardHeadersHint}
        checked={draft.standardHeaders}
        onChecked={(standardHeaders) => onChange({ standardHeaders })}
      />
    </>
  )
}

/** All events, or some types of the catalog. */
function EventFields({ draft: { events }, errors, onChange }: Props) {
  const isAll = events.includes('*')
  return (
    <div>
      <CheckField
        label={text.webhooks.everyEvent}
        checked={isAll}
        onChecked={(on) => onChange({ events: on ? ['*'] : [] })}
      />
      {!isAll && (
        <EventChoice
          legend={text.webhooks.chosenEvents}
          events={events}
          error={messagesUnder(errors, 'events')[0]}
          onChange={(chosen) => onChange({ events: chosen })}
        />
      )}
    </div>
  )
}

function FailureFields({ draft, errors, onChange }: Props) {
  return (
    <>
      <TextField
        label={text.webhooks.failureEmail}
        hint={text.webhooks.failureEmailHint}
        type="email"
        value={draft.failureEmail}
        onValue={(failureEmail) => onChange({ failureEmail })}
        error={errors.failureEmail}
      />
      <TextField
        label={text.webhooks.disableAfter}
        hint={text.webhooks.disableAfterHint}
        type="number"
        min={1}
        max={720}
        step={1}
        value={draft.disableAfterHours}
        onValue={(disableAfterHours) => onChange({ disableAfterHours })}
        error={errors.disableAfterHours}
      />
    </>
  )
}

/** `events.2` is under `events`. */
function messagesUnder(errors: Record<string, string>, path: string): string[] {
  return Object.entries(errors)
    .filter(([key]) => key === path || key.startsWith(`${path}.`))
    .map(([, message]) => message)
}
