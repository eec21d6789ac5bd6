import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField } from '../kit/field.tsx'
import { Skeleton } from '../kit/layout.tsx'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import { groupOf } from './events.ts'
import { eventTypesQuery, type Endpoint } from './queries.ts'

export type EventName = Endpoint['events'][number]

/** Some types of the catalog, in groups. */
export function EventChoice({
  legend,
  value: events,
  error,
  onValue,
}: Bound<readonly EventName[]> & { legend: string }) {
  const { id: workspaceId } = useWorkspace()
  const types = useQuery(eventTypesQuery(workspaceId))
  const catalog = types.data?.events ?? []
  const groups = Map.groupBy(catalog, ({ type }) => groupOf(type))
  // Stored subscriptions may name types that this version no longer has.
  const others = events.filter(
    (each) => each !== '*' && types.data && !catalog.some(({ type }) => type === each),
  )
  const toggle = (type: EventName, on: boolean) =>
    onValue(on ? [...events, type] : events.filter((each) => each !== type))
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="pb-1 text-sm font-semibold">{legend}</legend>
      <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      {types.isPending && <Skeleton rows={6} />}
      <div className="rounded border border-line bg-card">
        {[...groups].map(([group, rows]) => (
          <section
            key={group}
            aria-label={text.webhooks.eventsOf[group] ?? group}
            className="border-t border-line px-3 py-2 first:border-t-0"
          >
            <h4 className="text-xs text-soft">{text.webhooks.eventsOf[group] ?? group}</h4>
            {rows.map((each) => {
              // The server may be newer than this page.
              const { label, description } = text.webhooks.types[each.type] ?? each
              return (
                <CheckField
                  key={each.type}
                  label={
                    <>
                      {label} <span className="font-mono font-normal text-soft">{each.type}</span>
                    </>
                  }
                  hint={description}
                  value={events.includes(each.type)}
                  onValue={(on) => toggle(each.type, on)}
                />
              )
            })}
          </section>
        ))}
        {others.length > 0 && (
          <section
            aria-label={text.webhooks.otherEvents}
            className="border-t border-line px-3 py-2"
          >
            <h4 className="text-xs text-soft">{text.webhooks.otherEvents}</h4>
            {others.map((type) => (
              <CheckField key={type} label={type} value onValue={(on) => toggle(type, on)} />
            ))}
          </section>
        )}
      </div>
      {error && (
        <p role="alert" className="text-sm text-stop">
          {error}
        </p>
      )}
    </fieldset>
  )
}
