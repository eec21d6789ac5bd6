import { useQuery } from '@tanstack/react-query'
import { api, dataOf, ifMatch, type Versioned } from '../api/client.ts'
import { ApiError, type ErrorDetail } from '../api/errors.ts'
import { isServed } from '../api/domains.ts'
import { toSentence } from '../api/sentence.ts'
import { useWorkspace } from '../api/workspace.ts'
import { ConflictNote } from '../kit/conflict-note.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/domains.ts'
import { domainQuery, type Domain } from './queries.ts'
import {
  draftOf,
  FILE_FIELDS,
  problemOfFile,
  toChanges,
  URL_FIELDS,
  type SettingsDraft,
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

/** Checks of a domain make versions too, so that only changed settings are a conflict. */
function EditDrawer({ read, onClose }: { read: Versioned<Domain>; onClose: () => void }) {
  const { id } = read.value
  const form = useForm({
    start: () => draftOf(read.value),
    version: { etag: read.etag, draftOf },
    save: (draft, { before, etag }) =>
      dataOf(
        api.PATCH('/domains/{id}', {
          params: { path: { id } },
          body: toChanges(draft, before),
          headers: ifMatch(etag),
        }),
      ),
    onSaved: onClose,
  })
  const hasProblem = FILE_FIELDS.some((field) => problemOfFile(field, form.draft[field]) !== null)
  return (
    <FormDrawer
      form={{ ...form, error: null, save: hasProblem ? form.focusRefused : form.save }}
      title={text.domains.editSettings}
      action={text.actions.save}
      onClose={onClose}
    >
      <ConflictNote form={form} title={text.domains.conflict} names={text.domains} show={show} />
      {!form.conflict && <Refusal error={form.refusal} />}
      <SettingsForm form={form} isServed={isServed(read.value)} />
    </FormDrawer>
  )
}

function show(draft: SettingsDraft, field: keyof SettingsDraft): string {
  const value = draft[field]
  if (typeof value === 'boolean') return value ? text.domains.yes : text.domains.no
  return value || text.domains.noFile
}

const AT_FIELDS: readonly string[] = [...URL_FIELDS, ...FILE_FIELDS]

/** Errors that no field shows, such as slugs that prevent a change of the case rule. */
function Refusal({ error }: { error: unknown }) {
  if (!(error instanceof ApiError)) return <ErrorNote error={error} />
  const details = Array.isArray(error.details) ? (error.details as ErrorDetail[]) : []
  const elsewhere = details.filter(({ path }) => !AT_FIELDS.includes(path))
  if (details.length > 0 && elsewhere.length === 0) return null
  return (
    <>
      <ErrorNote error={error} />
      <ul className="list-disc ps-5 text-sm empty:hidden">
        {elsewhere.map(({ path, message }) => (
          <li key={message}>{toSentence(message, [path])}</li>
        ))}
      </ul>
    </>
  )
}
