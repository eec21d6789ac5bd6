import { useQuery } from '@tanstack/react-query'
import { api, dataOf, ifMatch, type Versioned } from '../api/client.ts'
import { changesOf } from '../api/conflict.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ConflictNote } from '../kit/conflict-note.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/webhooks.ts'
import { draftOf, EMPTY_ENDPOINT, toBody, type EndpointDraft } from './endpoint-draft.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { NewSecret } from './new-secret.tsx'
import { endpointQuery, type Endpoint } from './queries.ts'

/** Changes an endpoint, from the version that it shows. */
export function EndpointDrawer({
  endpointId,
  onClose,
}: {
  endpointId: string
  onClose: () => void
}) {
  const { id: workspaceId } = useWorkspace()
  const read = useQuery({ ...endpointQuery(workspaceId, endpointId), refetchInterval: false })
  if (read.data) return <EditDrawer read={read.data} onClose={onClose} />
  return (
    <Drawer title={text.webhooks.editEndpoint} onClose={onClose}>
      <ErrorNote error={read.error} onRetry={() => void read.refetch()} />
      {read.isPending && <Skeleton rows={6} />}
    </Drawer>
  )
}

function EditDrawer({ read, onClose }: { read: Versioned<Endpoint>; onClose: () => void }) {
  const form = useForm({
    start: () => draftOf(read.value),
    version: { etag: read.etag, draftOf },
    save: (draft, { before, etag }) =>
      dataOf(
        api.PATCH('/webhooks/endpoints/{id}', {
          params: { path: { id: read.value.id } },
          body: changesOf(toBody(draft), toBody(before)),
          headers: ifMatch(etag),
        }),
      ),
    onSaved: onClose,
  })
  return (
    <FormDrawer
      form={form}
      title={text.webhooks.editEndpoint}
      action={text.actions.save}
      onClose={onClose}
    >
      <ConflictNote form={form} title={text.webhooks.conflict} names={fieldNames()} show={show} />
      <EndpointForm form={form} />
    </FormDrawer>
  )
}

function fieldNames(): Record<keyof EndpointDraft, string> {
  return {
    ...text.webhooks,
    disableAfterHours: text.webhooks.disableAfter,
  }
}

/** Values of headers stay out of sight. */
function show(draft: EndpointDraft, field: keyof EndpointDraft): string {
  const value = draft[field]
  if (typeof value === 'string') return value || text.webhooks.noValue
  if (typeof value === 'boolean') return value ? text.webhooks.on : text.webhooks.off
  return value.map((each) => (typeof each === 'string' ? each : each.name)).join(', ')
}

/** Creates an endpoint; its secret is shown at once. */
export function NewEndpointDrawer({
  onClose,
  onTest,
}: {
  onClose: () => void
  /** Goes on with a test of the new endpoint. */
  onTest: (endpointId: string) => void
}) {
  const form = useForm({
    start: () => EMPTY_ENDPOINT,
    save: (draft) => dataOf(api.POST('/webhooks/endpoints', { body: toBody(draft) })),
  })
  if (form.saved) {
    const { id, secret } = form.saved
    return <NewSecret secret={secret} onClose={onClose} onTest={() => onTest(id)} />
  }
  return (
    <FormDrawer
      form={form}
      title={text.webhooks.newEndpoint}
      action={text.webhooks.create}
      onClose={onClose}
    >
      <EndpointForm form={form} />
    </FormDrawer>
  )
}
