import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { getTimeZone } from '../kit/format.ts'
import { fromLocalTime, toLocalTime } from '../kit/local-time.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { EventChoice, type EventName } from './event-choice.tsx'
import type { Endpoint } from './queries.ts'
import { PERIODS, PERIOD_MS } from './search.ts'

type Draft = { since: string; until: string; events: readonly EventName[] | null }

/** Sends the events of a period to one endpoint again, in as many calls as it takes. */
export function ReplayDrawer({ endpoint, onClose }: { endpoint: Endpoint; onClose: () => void }) {
  const [draft, setDraft] = useState<Draft>(() => ({
    since: endpoint.autoPausedAt ?? new Date(Date.now() - PERIOD_MS['1h']).toISOString(),
    until: '',
    events: null,
  }))
  const { run, queued, stop } = useReplay(endpoint.id, draft, onClose)
  const errors = run.error instanceof ApiError ? run.error.fieldErrors : {}
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  return (
    <Drawer
      title={text.webhooks.replayTitle}
      isChanged={run.isPending}
      onClose={onClose}
      foot={
        <>
          <Button
            look="primary"
            icon="history"
            type="submit"
            form="replay-form"
            isBusy={run.isPending}
          >
            {text.webhooks.replayStart}
          </Button>
          {run.isPending && <Button onClick={stop}>{text.webhooks.stop}</Button>}
          {queued > 0 && (
            <span role="status" className="text-sm">
              {text.webhooks.replayGoesOn(queued)}
            </span>
          )}
        </>
      }
    >
      <form
        id="replay-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          run.mutate()
        }}
      >
        <p className="font-mono text-sm break-all">{endpoint.url}</p>
        <p className="text-sm text-soft">{text.webhooks.replayExplain}</p>
        {Object.keys(errors).length === 0 && (
          <ErrorNote error={run.error} onRetry={() => run.mutate()} />
        )}
        <PeriodFields endpoint={endpoint} draft={draft} errors={errors} onChange={change} />
        <CheckField
          label={text.webhooks.replaySubscribed}
          checked={draft.events === null}
          onChecked={(on) => change({ events: on ? null : [] })}
        />
        {draft.events !== null && (
          <EventChoice
            legend={text.webhooks.replayChosen}
            events={draft.events}
            error={errors.events}
            onChange={(events) => change({ events })}
          />
        )}
      </form>
    </Drawer>
  )
}

function PeriodFields({
  endpoint: { autoPausedAt },
  draft,
  errors,
  onChange,
}: {
  endpoint: Endpoint
  draft: Draft
  errors: Record<string, string>
  onChange: (part: Partial<Draft>) => void
}) {
  const { replayPresets, replaySince, replayUntil, replayUntilHint, replayZone } = text.webhooks
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {PERIODS.map((period) => (
          <Button
            key={period}
            onClick={() =>
              onChange({
                since: new Date(Date.now() - PERIOD_MS[period]).toISOString(),
                until: '',
              })
            }
          >
            {replayPresets[period]}
          </Button>
        ))}
        {autoPausedAt && (
          <Button onClick={() => onChange({ since: autoPausedAt, until: '' })}>
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
        onValue={(value) => onChange({ since: fromLocalTime(value) ?? '' })}
        error={errors.since}
      />
      <TextField
        label={replayUntil}
        hint={replayUntilHint}
        type="datetime-local"
        value={toLocalTime(draft.until || null)}
        onValue={(value) => onChange({ until: fromLocalTime(value) ?? '' })}
        error={errors.until}
      />
    </>
  )
}

/** A call ends after some thousand events; the next one goes on from there, also after an error. */
function useReplay(id: string, { since, until, events }: Draft, onClose: () => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [queued, setQueued] = useState(0)
  const place = useRef<{ of: string; since: string; until: string; queued: number } | null>(null)
  const isStopped = useRef(false)
  useEffect(() => {
    isStopped.current = false
    return () => {
      isStopped.current = true
    }
  }, [])
  const of = JSON.stringify([since, until, events])
  const run = useMutation({
    mutationFn: async () => {
      isStopped.current = false
      if (place.current?.of !== of)
        place.current = { of, since, until: until || new Date().toISOString(), queued: 0 }
      const at = place.current
      for (;;) {
        const period = { since: at.since, until: at.until }
        const body = events === null ? period : { ...period, events: [...events] }
        const path = { id }
        const answer = await dataOf(
          api.POST('/webhooks/endpoints/{id}/replay', { params: { path }, body }),
        )
        at.queued += answer.queued
        setQueued(at.queued)
        if (answer.next === null) return { queued: at.queued, isDone: true }
        at.since = answer.next
        if (isStopped.current) return { queued: at.queued, isDone: false }
      }
    },
    onSuccess: (answer) => {
      const { replayed, replayedNone } = text.webhooks
      showToast(answer.queued === 0 && answer.isDone ? replayedNone : replayed(answer.queued))
      if (answer.isDone) place.current = null
      if (answer.isDone && answer.queued > 0 && !isStopped.current) onClose()
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [workspaceId] }),
  })
  return { run, queued: run.isPending ? queued : 0, stop: () => void (isStopped.current = true) }
}
