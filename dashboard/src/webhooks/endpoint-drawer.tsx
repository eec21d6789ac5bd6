import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, TextField } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import { eventTypesQuery, type Endpoint } from './queries.ts'

type EventName = Endpoint['events'][number]
type Draft = {
  url: string
  description: string
  events: readonly EventName[]
  failureEmail: string
  disableAfterHours: string
  standardHeaders: boolean
  /** One `name: value` in each line. */
  headers: string
}

/** Creates an endpoint, or changes one. The secret of a new one is shown at once. */
export function EndpointDrawer({
  endpoint = null,
  onClose,
}: {
  endpoint?: Endpoint | null
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [before] = useState(() => draftOf(endpoint))
  const [draft, setDraft] = useState(before)
  const change = (part: Partial<Draft>) => setDraft({ ...draft, ...part })
  const save = useMutation({
    mutationFn: async (): Promise<string | null> => {
      const body = toBody(draft)
      if (!endpoint) return (await dataOf(api.POST('/webhooks/endpoints', { body }))).secret
      const params = { path: { id: endpoint.id } }
      await dataOf(api.PATCH('/webhooks/endpoints/{id}', { params, body }))
      return null
    },
    onSuccess: async (secret) => {
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'endpoints'] })
      if (secret === null) onClose()
    },
  })
  if (save.data) return <NewSecret secret={save.data} onClose={onClose} />
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  return (
    <Drawer
      title={endpoint ? text.webhooks.editEndpoint : text.webhooks.newEndpoint}
      isChanged={JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="endpoint-form" isBusy={save.isPending}>
          {endpoint ? text.actions.save : text.webhooks.create}
        </Button>
      }
    >
      <form
        id="endpoint-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
        <TextField
          label={text.webhooks.url}
          hint={text.webhooks.urlHint}
          name="url"
          type="url"
          required
          autoFocus
          placeholder="https://"
          value={draft.url}
          onValue={(url) => change({ url })}
          error={errors.url}
        />
        <EventFields draft={draft} onChange={change} error={errors.events} />
        <OptionFields draft={draft} onChange={change} errors={errors} />
      </form>
    </Drawer>
  )
}

type FieldsProps = { draft: Draft; onChange: (part: Partial<Draft>) => void }

/** The events that the endpoint gets: all, or some of the catalog. */
function EventFields({ draft, onChange, error }: FieldsProps & { error: string | undefined }) {
  const { id: workspaceId } = useWorkspace()
  const types = useQuery(eventTypesQuery(workspaceId))
  const isAll = draft.events.includes('*')
  return (
    <fieldset className="flex flex-col">
      <legend className="text-sm font-semibold">{text.webhooks.events}</legend>
      <CheckField
        label={text.webhooks.allEvents}
        checked={isAll}
        onChecked={(on) => onChange({ events: on ? ['*'] : [] })}
      />
      {types.data?.events.map(({ type, label, description }) => (
        <CheckField
          key={type}
          label={label}
          hint={description}
          disabled={isAll}
          checked={isAll || draft.events.includes(type)}
          onChecked={(on) =>
            onChange({
              events: on ? [...draft.events, type] : draft.events.filter((each) => each !== type),
            })
          }
        />
      ))}
      {error && <p className="text-sm text-stop">{error}</p>}
    </fieldset>
  )
}

function OptionFields({
  draft,
  onChange,
  errors,
}: FieldsProps & { errors: Record<string, string> }) {
  return (
    <>
      <TextField
        label={text.webhooks.description}
        value={draft.description}
        onValue={(description) => onChange({ description })}
        error={errors.description}
      />
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
        inputMode="numeric"
        value={draft.disableAfterHours}
        onValue={(disableAfterHours) => onChange({ disableAfterHours })}
        error={errors.disableAfterHours}
      />
      <TextField
        label={text.webhooks.headers}
        hint={text.webhooks.headersHint}
        placeholder="x-api-key: 123"
        className="font-mono text-sm"
        value={draft.headers}
        onValue={(headers) => onChange({ headers })}
        error={errors.headers}
      />
      <CheckField
        label={text.webhooks.standardHeaders}
        hint={text.webhooks.standardHeadersHint}
        checked={draft.standardHeaders}
        onChecked={(standardHeaders) => onChange({ standardHeaders })}
      />
    </>
  )
}

function NewSecret({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <Drawer
      title={text.webhooks.created}
      onClose={onClose}
      foot={
        <Button look="primary" onClick={onClose}>
          {text.actions.done}
        </Button>
      }
    >
      <p>{text.webhooks.createdExplain}</p>
      <code className="rounded border border-line bg-sunk p-3 font-mono text-sm break-all">
        {secret}
      </code>
      <CopyButton value={secret} />
    </Drawer>
  )
}

function draftOf(endpoint: Endpoint | null): Draft {
  return {
    url: endpoint?.url ?? '',
    description: endpoint?.description ?? '',
    events: endpoint?.events ?? ['*'],
    failureEmail: endpoint?.failureEmail ?? '',
    disableAfterHours: endpoint?.disableAfterHours ? String(endpoint.disableAfterHours) : '',
    standardHeaders: endpoint?.standardHeaders ?? false,
    headers: Object.entries(endpoint?.headers ?? {})
      .map(([name, value]) => `${name}: ${value}`)
      .join('; '),
  }
}

function toBody(draft: Draft): Schemas['CreateWebhookEndpoint'] {
  const pairs = draft.headers
    .split(';')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line): [string, string] => {
      const colon = line.indexOf(':')
      if (colon < 0) return [line, '']
      return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
    })
  return {
    url: draft.url.trim(),
    events: [...draft.events],
    description: draft.description.trim() || null,
    failureEmail: draft.failureEmail.trim() || null,
    disableAfterHours: draft.disableAfterHours.trim() ? Number(draft.disableAfterHours) : null,
    standardHeaders: draft.standardHeaders,
    headers: pairs.length > 0 ? Object.fromEntries(pairs) : null,
  }
}
