import { useQuery } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { AreaField, SelectField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import { EVENT_TYPES, type EventType } from './events.ts'
import { eventTypesQuery } from './queries.ts'

/** `typed`: null for the sample of the type. */
type Draft = { type: EventType; typed: string | null }

/** An event of the user's own, to every active endpoint that subscribes to its type. */
export function DispatchDrawer({ onClose }: { onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const types = useQuery(eventTypesQuery(workspaceId))
  const sourceOf = ({ type, typed }: Draft) => {
    const sample = types.data?.events.find((each) => each.type === type)?.sample ?? {}
    return typed ?? JSON.stringify(sample, null, 2)
  }
  const form = useForm({
    start: (): Draft => ({ type: 'link.created', typed: null }),
    save: (draft) => {
      const payload = parse(sourceOf(draft))
      const body = { type: draft.type, ...(payload && { payload }) }
      return dataOf(api.POST('/webhooks/dispatch', { body }))
    },
    told: ({ dispatched }) => text.webhooks.dispatched(dispatched),
    onSaved: ({ dispatched }) => dispatched > 0 && onClose(),
  })
  const source = sourceOf(form.draft)
  const isInvalid = parse(source) === null
  return (
    <FormDrawer
      form={form}
      title={text.webhooks.dispatch}
      action={text.webhooks.dispatchSend}
      button={{ icon: 'send', disabled: isInvalid }}
      onClose={onClose}
    >
      <p className="text-sm text-soft">{text.webhooks.dispatchExplain}</p>
      <ErrorNote error={types.error} onRetry={() => void types.refetch()} />
      <SelectField
        label={text.webhooks.dispatchType}
        options={EVENT_TYPES.map((each) => ({ value: each, label: each }))}
        {...form.field('type')}
      />
      <AreaField
        label={text.webhooks.dispatchPayload}
        error={isInvalid ? text.webhooks.dispatchInvalid : form.errorAt('payload')}
        rows={14}
        spellCheck={false}
        className="font-mono text-sm!"
        value={source}
        onValue={(typed) => form.change({ typed })}
      />
    </FormDrawer>
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
