import { CheckField, TextField } from '../kit/field.tsx'
import type { Form } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import type { EndpointDraft } from './endpoint-draft.ts'
import { EventChoice } from './event-choice.tsx'
import { HeaderRows } from './header-rows.tsx'

/** The fields of an endpoint. */
export function EndpointForm({ form }: { form: Form<EndpointDraft> }) {
  const isAll = form.draft.events.includes('*')
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
        {...form.field('url')}
      />
      <TextField label={text.webhooks.description} maxLength={500} {...form.field('description')} />
      <div>
        <CheckField
          label={text.webhooks.everyEvent}
          value={isAll}
          onValue={(on) => form.change({ events: on ? ['*'] : [] })}
        />
        {!isAll && <EventChoice legend={text.webhooks.chosenEvents} {...form.field('events')} />}
      </div>
      <HeaderRows {...form.field('headers')} />
      <TextField
        label={text.webhooks.failureEmail}
        hint={text.webhooks.failureEmailHint}
        type="email"
        {...form.field('failureEmail')}
      />
      <TextField
        label={text.webhooks.disableAfter}
        hint={text.webhooks.disableAfterHint}
        type="number"
        min={1}
        max={720}
        step={1}
        {...form.field('disableAfterHours')}
      />
      <CheckField
        label={text.webhooks.standardHeaders}
        hint={text.webhooks.standardHeadersHint}
        {...form.field('standardHeaders')}
      />
    </>
  )
}
