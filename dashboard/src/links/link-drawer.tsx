import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, dataOf, ifMatch } from '../api/client.ts'
import { ApiError, fieldErrorsOf } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ConflictNote } from '../kit/conflict-note.tsx'
import { copyText } from '../kit/copy-button.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { formatClock } from '../kit/format.ts'
import { showToast } from '../kit/toast.ts'
import { nameFor, withScheme } from '../kit/url.ts'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/link-page.ts'
import { checkDraft } from './checks.ts'
import { DraftExplain } from './draft-explain.tsx'
import { draftOf, EMPTY_DRAFT, toBody, type LinkDraft } from './draft.ts'
import { dropDraft, keepDraft, readKeptDraft } from './kept-drafts.ts'
import { LinkForm } from './link-form.tsx'
import { entityTagOf, type Link } from './queries.ts'
import { StatusLine } from './status-line.tsx'
import { useHosts } from './use-hosts.ts'

type Props = {
  link?: Link | null
  /** The destination of a new link. */
  url?: string
  onClose: () => void
  onSaved: (link: Link) => void
}

/** Creates a link, or changes one. What is typed is kept in the browser until it is saved. */
export function LinkDrawer({ link = null, url = '', onClose, onSaved }: Props) {
  const { form, keptAt, drop } = useLinkForm(link, url, onSaved)
  const { draft, isChanged } = form
  const { defaultHost, options } = useHosts(link === null)
  const [isExplained, setExplained] = useState(false)
  const isBlocked = link?.status === 'blocked'
  const isKept = keptAt !== null && isChanged
  return (
    <FormDrawer
      form={form}
      title={link ? text.links.edit : text.names.newLink}
      note={isKept && text.links.draftKept(formatClock(new Date(keptAt).toISOString()))}
      action={link ? text.actions.save : text.links.create}
      button={{ disabled: isBlocked }}
      foot={
        <>
          <Button icon="split" className="max-md:[&>svg]:hidden" onClick={() => setExplained(true)}>
            {text.explain.short}
          </Button>
          {isChanged && (
            <Button look="quiet" onClick={drop}>
              {text.links.discard}
            </Button>
          )}
        </>
      }
      onClose={() => {
        if (!isChanged) drop()
        onClose()
      }}
    >
      <ConflictNote
        form={form}
        title={text.linkOptions.conflict}
        names={text.linkHistory.fields}
        show={show}
      />
      {isBlocked && <StatusLine link={link} />}
      <fieldset disabled={isBlocked} className="contents">
        <LinkForm
          form={form}
          host={draft.domain || defaultHost}
          hosts={options}
          hasPassword={(link?.password ?? null) !== null}
        />
      </fieldset>
      {isExplained && <DraftExplain draft={draft} onClose={() => setExplained(false)} />}
    </FormDrawer>
  )
}

/** The user's input, stored in the browser at every change. */
function useLinkForm(link: Link | null, url: string, onSaved: (link: Link) => void) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const key = link?.id ?? 'new'
  const [first] = useState(() => (link ? draftOf(link) : EMPTY_DRAFT))
  const [kept] = useState(() => (url ? null : readKeptDraft(workspaceId, key, first)))
  const [keptAt, setKeptAt] = useState<number | null>(kept?.keptAt ?? null)
  const form = useForm({
    start: () => first,
    typed: () => kept?.draft ?? (url ? { ...first, destinationUrl: url } : null),
    version: { etag: link && (entityTagOf(link.id, link.updatedAt) ?? null), draftOf },
    save: (draft, { before, etag }) => {
      if (!link) return create(draft)
      const params = { path: { id: link.id } }
      const body = toBody(draft, before)
      return dataOf(api.PATCH('/links/{id}', { params, body, headers: ifMatch(etag) }))
    },
    check: checkDraft,
    toFieldErrors,
    told: () => (link ? text.links.saved : undefined),
    undo: (saved) => (link ? undoOf(saved, first) : null),
    // They are read again while the page of the link opens.
    refreshes: [],
    onSaved: (saved) => {
      dropDraft(workspaceId, key)
      // Figures from before the first link would show the page of a workspace without links.
      if (!link) queryClient.removeQueries({ queryKey: [workspaceId, 'figures'], type: 'inactive' })
      void queryClient.invalidateQueries({ queryKey: [workspaceId] })
      if (!link) tellCreated(saved.shortUrl)
      onSaved(saved)
    },
    onChange: (draft) => {
      keepDraft(workspaceId, key, draft)
      setKeptAt(Date.now())
    },
  })
  const drop = () => {
    dropDraft(workspaceId, key)
    form.restart(form.before, form.etag)
    setKeptAt(null)
  }
  return { form, keptAt, drop }
}

/** Writes the former values again; a former password is unknown. */
function undoOf(saved: Link, before: LinkDraft) {
  const { password: _, ...body } = toBody(before, draftOf(saved))
  if (Object.keys(body).length === 0) return null
  return () => dataOf(api.PATCH('/links/{id}', { params: { path: { id: saved.id } }, body }))
}

function tellCreated(shortUrl: string): void {
  void copyText(shortUrl).then(
    () => showToast(text.links.createdAndCopied(shortUrl)),
    () => showToast(text.links.created(shortUrl)),
  )
}

function create(draft: LinkDraft): Promise<Link> {
  const body = toBody(draft, EMPTY_DRAFT)
  const destinationUrl = withScheme(draft.destinationUrl)
  return dataOf(
    api.POST('/links', {
      body: { ...body, destinationUrl, name: draft.name.trim() || nameFor(destinationUrl) },
    }),
  )
}

/** A taken slug is a conflict without a path; the message belongs to the field all the same. */
function toFieldErrors(error: unknown): Record<string, string> {
  if (error instanceof ApiError && error.code === 'CONFLICT' && /slug/i.test(error.said))
    return { slug: error.message }
  return fieldErrorsOf(error)
}

function show(draft: LinkDraft, field: keyof LinkDraft): string {
  const value = draft[field]
  if (typeof value === 'string') return value || text.links.none
  if (typeof value === 'boolean') return value ? text.linkHistory.on : text.linkHistory.off
  return value.map(({ name, destinationUrl }) => `${name} → ${destinationUrl}`).join('; ')
}
