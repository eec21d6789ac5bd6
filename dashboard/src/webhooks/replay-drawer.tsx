import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { getTimeZone } from '../kit/locale.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { useForm, type Form } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import { EventChoice, type EventName } from './event-choice.tsx'
import type { Endpoint } from './queries.ts'
import { PERIODS, PERIOD_MS } from './search.ts'

type Draft = { since: string; until: string; events: readonly EventName[] | null }

/** Sends the events of a period to one endpoint again, in as many calls as it takes. */
export function ReplayDrawer({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const { run, queued, stop, isStopped } = useReplay(endpoint.id)
  const form = useForm({
    start: (): Draft => ({
      since: endpoint.autoPausedAt ?? new Date(Date.now() - PERIOD_MS['1h']).toISOString(),
      until: '',
      events: null,
    }),
    save: run,
    told: ({ queued: all, isDone }) =>
      all === 0 && isDone ? text.webhooks.replayedNone : text.webhooks.replayed(all),
    onSaved: ({ queued: all, isDone }) => isDone && all > 0 && !isStopped.current && onClose(),
  })
  return (
    <FormDrawer
      form={{ ...form, isChanged: form.isSaving, error: null }}
      title={text.webhooks.replayTitle}
      action={text.webhooks.replayStart}
      button={{ icon: 'history' }}
      foot={
        form.isSaving && (
          <>
            <Button onClick={stop}>{text.webhooks.stop}</Button>
            {queued > 0 && (
              <span role="status" className="text-sm">
                {text.webhooks.replayGoesOn(queued)}
              </span>
            )}
          </>
        )
      }
      onClose={onClose}
    >
      <p className="font-mono text-sm break-all">{endpoint.url}</p>
      <p className="text-sm text-soft">{text.webhooks.replayExplain}</p>
      <ErrorNote error={form.error} onRetry={form.save} />
      <PeriodFields endpoint={endpoint} form={form} />
      <CheckField
        label={text.webhooks.replaySubscribed}
        value={form.draft.events === null}
        onValue={(on) => form.change({ events: on ? null : [] })}
      />
      {form.draft.events !== null && (
        <EventChoice
          legend={text.webhooks.replayChosen}
          value={form.draft.events}
          error={form.errorAt('events')}
          onValue={(events) => form.change({ events })}
        />
      )}
    </FormDrawer>
  )
}

function PeriodFields({
  endpoint: { autoPausedAt },
  form,
}: {
  endpoint: Endpoint
  form: Form<Draft>
}) {
  const { draft, change, errorAt } = form
  const { replayPresets, replaySince, replayUntil, replayUntilHint, replayZone } = text.webhooks
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {PERIODS.map((period) => (
          <Button
            key={period}
            onClick={() =>
              change({
                since: new Date(Date.now() - PERIOD_MS[period]).toISOString(),
                until: '',
              })
            }
          >
            {replayPresets[period]}
          </Button>
        ))}
        {autoPausedAt && (
          <Button onClick={() => change({ since: autoPausedAt, until: '' })}>
            {replayPresets.missed}
          </Button>
        )}
      </div>
      <TextField
        label={replaySince}
        hint={replayZone(getTimeZone())}
        type="datetime-local"
        required
        value={toLocalTime(draft.since || null)}
        onValue={(value) => change({ since: fromLocalTime(value) ?? '' })}
        error={errorAt('since')}
      />
      <TextField
        label={replayUntil}
        hint={replayUntilHint}
        type="datetime-local"
        value={toLocalTime(draft.until || null)}
        onValue={(value) => change({ until: fromLocalTime(value) ?? '' })}
        error={errorAt('until')}
      />
    </>
  )
}

/** A call ends after some thousand events; the next one goes on from there, also after an error. */
function useReplay(id: string) {
  const [queued, setQueued] = useState(0)
  const place = useRef<{ of: string; since: string; until: string; queued: number } | null>(null)
  const isStopped = useRef(false)
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const run = async ({ since, until, events }: Draft) => {
    isStopped.current = false
    const of = JSON.stringify([since, until, events])
    if (place.current?.of !== of)
      place.current = { of, since, until: until || new Date().toISOString(), queued: 0 }
    const at = place.current
    for (;;) {
      const period = { since: at.since, until: at.until }
      const body = events === null ? period : { ...period, events: [...events] }
      const params = { path: { id } }
      const answer = await dataOf(api.POST('/webhooks/endpoints/{id}/replay', { params, body }))
      at.queued += answer.queued
      setQueued(at.queued)
      if (answer.next === null) {
        place.current = null
        return { queued: at.queued, isDone: true }
      }
      at.since = answer.next
      if (isStopped.current) return { queued: at.queued, isDone: false }
    }
  }
  return { run, queued, isStopped, stop: () => void (isStopped.current = true) }
}
