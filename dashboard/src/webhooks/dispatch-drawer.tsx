import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Field, INPUT, SelectField } from '../kit/field.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { eventTypesQuery } from './queries.ts'

/** An event of the user's own, to every active endpoint that subscribes to its type. */
export function DispatchDrawer({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const types = useQuery(eventTypesQuery(workspaceId))
  const [type, setType] = useState<EventType>('link.created')
  const [typed, setTyped] = useState<string | null>(null)
  const sample = types.data?.events.find((each) => each.type === type)?.sample ?? {}
  const source = typed ?? JSON.stringify(sample, null, 2)
  const payload = parse(source)
  const send = useMutation({
    mutationFn: () =>
      dataOf(api.POST('/webhooks/dispatch', { body: { type, ...(payload && { payload }) } })),
    onSuccess: async ({ dispatched }) => {
      showToast(text.webhooks.dispatched(dispatched))
      await queryClient.invalidateQueries({ queryKey: [workspaceId] })
      if (dispatched > 0) onClose()
    },
  })
  const errors = send.error instanceof ApiError ? send.error.fieldErrors : {}
  return (
    <Drawer
      title={text.webhooks.dispatch}
      isChanged={typed !== null}
      onClose={onClose}
      foot={
        <Button
          look="primary"
          icon="send"
          isBusy={send.isPending}
          disabled={payload === null}
          onClick={() => send.mutate()}
        >
          {text.webhooks.dispatchSend}
        </Button>
      }
    >
      <p className="text-sm text-soft">{text.webhooks.dispatchExplain}</p>
      <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      {Object.keys(errors).length === 0 && <ErrorNote error={send.error} />}
      <SelectField
        label={text.webhooks.dispatchType}
        error={errors.type}
        value={type}
        options={EVENT_TYPES.map((each) => ({ value: each, label: each }))}
        onValue={setType}
      />
      <Field
        label={text.webhooks.dispatchPayload}
        error={payload === null ? text.webhooks.dispatchInvalid : errors.payload}
      >
        {(control) => (
          <textarea
            {...control}
            rows={14}
            spellCheck={false}
            className={`${INPUT} py-2 font-mono text-sm!`}
            value={source}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </Field>
    </Drawer>
  )
}

/** @returns null for what is not a JSON object */
function parse(source: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(source)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
}
