import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { EndpointConflict, presentOf, type Present } from './endpoint-conflict.tsx'
import {
  draftOf,
  EMPTY_ENDPOINT,
  mergeDrafts,
  toBody,
  toChanges,
  type EndpointDraft,
} from './endpoint-draft.ts'
import { EndpointForm } from './endpoint-form.tsx'
import { NewSecret } from './new-secret.tsx'
import { endpointQuery } from './queries.ts'

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

function EditDrawer({ read, onClose }: { read: Present; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [etag, setEtag] = useState(read.etag)
  const [before, setBefore] = useState(() => draftOf(read.endpoint))
  const [draft, setDraft] = useState(before)
  const save = useMutation({
    mutationFn: () =>
      dataOf(
        api.PATCH('/webhooks/endpoints/{id}', {
          params: { path: { id: read.endpoint.id } },
          body: toChanges(draft, before),
          headers: etag === null ? {} : { 'if-match': etag },
        }),
      ),
    onSuccess: () => {
      onClose()
      return queryClient.invalidateQueries({ queryKey: [workspaceId, 'endpoints'] })
    },
  })
  const present = presentOf(save.error)
  return (
    <FormDrawer
      title={text.webhooks.editEndpoint}
      action={text.actions.save}
      draft={draft}
      before={before}
      save={save}
      onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
      onClose={onClose}
    >
      {present && (
        <EndpointConflict
          present={present}
          before={before}
          draft={draft}
          onResolve={(keepsMine) => {
            const theirs = draftOf(present.endpoint)
            setDraft(mergeDrafts(before, draft, theirs, keepsMine))
            setBefore(theirs)
            setEtag(present.etag)
            save.reset()
          }}
        />
      )}
    </FormDrawer>
  )
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
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [draft, setDraft] = useState(EMPTY_ENDPOINT)
  const save = useMutation({
    mutationFn: () => dataOf(api.POST('/webhooks/endpoints', { body: toBody(draft) })),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'endpoints'] }),
  })
  if (save.data) {
    const { id, secret } = save.data
    return <NewSecret secret={secret} onClose={onClose} onTest={() => onTest(id)} />
  }
  return (
    <FormDrawer
      title={text.webhooks.newEndpoint}
      action={text.webhooks.create}
      draft={draft}
      before={EMPTY_ENDPOINT}
      save={save}
      onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
      onClose={onClose}
    />
  )
}

type FormProps = {
  title: string
  action: string
  draft: EndpointDraft
  before: EndpointDraft
  save: { mutate: () => void; isPending: boolean; error: unknown }
  onChange: (part: Partial<EndpointDraft>) => void
  onClose: () => void
  /** In the place of the error. */
  children?: React.ReactNode
}

function FormDrawer({
  title,
  action,
  draft,
  before,
  save,
  onChange,
  onClose,
  children,
}: FormProps) {
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (save.error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [save.error])
  return (
    <Drawer
      title={title}
      isChanged={JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="endpoint-form" isBusy={save.isPending}>
          {action}
        </Button>
      }
    >
      <form
        ref={form}
        id="endpoint-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {children || (Object.keys(errors).length === 0 && <ErrorNote error={save.error} />)}
        <EndpointForm draft={draft} errors={errors} onChange={onChange} />
      </form>
    </Drawer>
  )
}
