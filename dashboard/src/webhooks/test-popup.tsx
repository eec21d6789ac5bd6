import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { JsonView } from '../kit/json-view.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/webhooks.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { eventTypesQuery, type Endpoint } from './queries.ts'

/** A sample of one type: what it will be, and the button that sends it to this endpoint alone. */
export function TestPopup({
  endpoint,
  onClose,
  onSent,
}: {
  endpoint: Endpoint
  onClose: () => void
  onSent: (deliveryId: string) => void
}) {
  const { id: workspaceId } = useWorkspace()
  const types = useQuery(eventTypesQuery(workspaceId))
  const [eventType, setEventType] = useState<EventType>(
    () => EVENT_TYPES.find((type) => endpoint.events.includes(type)) ?? 'link.created',
  )
  const params = { path: { id: endpoint.id } }
  const send = useAction(
    () => dataOf(api.POST('/webhooks/endpoints/{id}/test', { params, body: { eventType } })),
    {
      showsErrors: true,
      told: () => text.webhooks.testSent,
      onDone: ({ id }) => onSent(id),
    },
  )
  const chosen = types.data?.events.find(({ type }) => type === eventType)
  return (
    <Popup
      title={text.webhooks.testTitle}
      onClose={onClose}
      foot={
        <>
          <Button onClick={onClose}>{text.actions.cancel}</Button>
          <Button look="primary" icon="send" isBusy={send.isPending} onClick={() => send.mutate()}>
            {text.webhooks.testSend}
          </Button>
        </>
      }
    >
      <SelectField
        label={text.webhooks.testEvent}
        hint={text.webhooks.types[eventType].description}
        value={eventType}
        options={EVENT_TYPES.map((type) => ({ value: type, label: type }))}
        onValue={setEventType}
      />
      <p className="text-sm text-soft">{text.webhooks.testExplain}</p>
      <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      {types.isPending && <Skeleton rows={4} />}
      {chosen && <JsonView text={toBody(endpoint, eventType, chosen.sample)} />}
      {endpoint.status === 'paused' && <p className="text-sm">{text.webhooks.testPaused}</p>}
      <ErrorNote error={send.error} />
    </Popup>
  )
}

/** The body of the delivery, whose id and time the server sets. */
function toBody({ id, workspaceId }: Endpoint, type: EventType, sample: unknown): string {
  return JSON.stringify({
    id: 'test_…',
    type,
    workspaceId,
    endpointId: id,
    attempt: 1,
    createdAt: new Date().toISOString(),
    data: { ...(sample as object), workspaceId },
  })
}
