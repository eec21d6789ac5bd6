import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError, type ErrorDetail } from '../api/errors.ts'
import { toSentence } from '../api/sentence.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { domainQuery } from './queries.ts'
import { presentOf, SettingsConflict, type Present } from './settings-conflict.tsx'
import {
  conflictingFields,
  draftOf,
  FILE_FIELDS,
  mergeDrafts,
  problemOfFile,
  toChanges,
} from './settings-draft.ts'
import { SettingsForm } from './settings-form.tsx'

/** Changes the settings of a domain, from the version that it shows. */
export function SettingsDrawer({ domainId, onClose }: { domainId: string; onClose: () => void }) {
  const { id: workspaceId } = useWorkspace()
  const read = useQuery({ ...domainQuery(workspaceId, domainId), refetchInterval: false })
  if (read.data) return <EditDrawer read={read.data} onClose={onClose} />
  return (
    <Drawer title={text.domains.editSettings} onClose={onClose}>
      <ErrorNote error={read.error} onRetry={() => void read.refetch()} />
      {read.isPending && <Skeleton rows={6} />}
    </Drawer>
  )
}

function EditDrawer({ read, onClose }: { read: Present; onClose: () => void }) {
  const { save, before, draft, setDraft, resolve } = useSettings(read, onClose)
  const form = useRef<HTMLFormElement>(null)
  const toProblem = () => form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  useEffect(() => {
    if (save.error) toProblem()
  }, [save.error])
  const hasProblem = FILE_FIELDS.some((field) => problemOfFile(field, draft[field]) !== null)
  const present = presentOf(save.error)
  const { status } = read.domain
  return (
    <Drawer
      title={text.domains.editSettings}
      isChanged={JSON.stringify(draft) !== JSON.stringify(before)}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="settings-form" isBusy={save.isPending}>
          {text.actions.save}
        </Button>
      }
    >
      <form
        ref={form}
        id="settings-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (hasProblem) toProblem()
          else save.mutate()
        }}
      >
        {present ? (
          <SettingsConflict present={present} before={before} draft={draft} onResolve={resolve} />
        ) : (
          <Refusal error={save.error} />
        )}
        <SettingsForm
          draft={draft}
          isServed={status === 'verified' || status === 'misconfigured'}
          errors={save.error instanceof ApiError ? save.error.fieldErrors : {}}
          onChange={(part) => setDraft((now) => ({ ...now, ...part }))}
        />
      </form>
    </Drawer>
  )
}

/** A save binds to the version that was read. Checks make versions too, so only changed settings are a conflict. */
function useSettings(read: Present, onSaved: () => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [etag, setEtag] = useState(read.etag)
  const [before, setBefore] = useState(() => draftOf(read.domain))
  const [draft, setDraft] = useState(before)
  const change = (version: string | null) =>
    dataOf(
      api.PATCH('/domains/{id}', {
        params: { path: { id: read.domain.id } },
        body: toChanges(draft, before),
        headers: version === null ? {} : { 'if-match': version },
      }),
    )
  const save = useMutation({
    mutationFn: () =>
      change(etag).catch((error: unknown) => {
        const present = presentOf(error)
        const isOther = present && conflictingFields(before, draft, draftOf(present.domain))[0]
        if (!present || isOther) throw error
        return change(present.etag)
      }),
    onSuccess: () => {
      onSaved()
      return queryClient.invalidateQueries({ queryKey: [workspaceId, 'domains'] })
    },
  })
  const resolve = (keepsMine: boolean) => {
    const present = presentOf(save.error)
    if (!present) return
    const theirs = draftOf(present.domain)
    setDraft(mergeDrafts(before, draft, theirs, keepsMine))
    setBefore(theirs)
    setEtag(present.etag)
    save.reset()
  }
  return { save, before, draft, setDraft, resolve }
}

const AT_FIELDS: readonly string[] = [
  'rootRedirectUrl',
  'notFoundUrl',
  'expiredUrl',
  ...FILE_FIELDS,
]

/** Errors that no field shows, such as slugs that prevent a change of the case rule. */
function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return <ErrorNote error={error} />
  const details = Array.isArray(error.details) ? (error.details as ErrorDetail[]) : []
  const elsewhere = details.filter(({ path }) => !AT_FIELDS.includes(path))
  if (details.length > 0 && elsewhere.length === 0) return null
  return (
    <>
      <ErrorNote error={error} />
      <ul className="list-disc pl-5 text-sm empty:hidden">
        {elsewhere.map(({ path, message }) => (
          <li key={message}>{toSentence(message, [path])}</li>
        ))}
      </ul>
    </>
  )
}
