import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { copyText } from '../kit/copy-button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { formatClock } from '../kit/format.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import {
  draftOf,
  EMPTY_DRAFT,
  nameFor,
  problemOfMetadata,
  toBody,
  type LinkDraft,
} from './draft.ts'
import { DraftExplain } from './draft-explain.tsx'
import { dropDraft, keepDraft, readKeptDraft } from './kept-drafts.ts'
import { LinkForm } from './link-form.tsx'
import type { Link } from './queries.ts'

/** Creates a link, or changes one. What is typed is kept in the browser until it is saved. */
export function LinkDrawer({
  link = null,
  url = '',
  host,
  onClose,
  onSaved,
}: {
  link?: Link | null
  /** The destination of a new link. */
  url?: string
  host: string
  onClose: () => void
  onSaved: (link: Link) => void
}) {
  const { id: workspaceId } = useWorkspace()
  const { draft, before, keptAt, isChanged, change, discard, drop } = useDraft(
    workspaceId,
    link,
    url,
  )
  const save = useSave(workspaceId, link, draft, before, (saved) => {
    drop()
    onSaved(saved)
  })
  const errors = save.error instanceof ApiError ? toFieldErrors(save.error) : {}
  const form = useFocusOnRefused(save.error)
  const [isExplained, setExplained] = useState(false)
  const close = () => {
    if (!isChanged) drop()
    onClose()
  }
  return (
    <Drawer
      title={link ? text.links.edit : text.links.newLink}
      note={
        keptAt !== null &&
        isChanged &&
        text.links.draftKept(formatClock(new Date(keptAt).toISOString()))
      }
      isChanged={isChanged}
      onClose={close}
      foot={
        <>
          <Button look="primary" type="submit" form="link-form" isBusy={save.isPending}>
            {link ? text.actions.save : text.links.create}
          </Button>
          <Button icon="split" onClick={() => setExplained(true)}>
            {text.explain.short}
          </Button>
          {isChanged && (
            <Button look="quiet" onClick={discard}>
              {text.links.discard}
            </Button>
          )}
        </>
      }
    >
      <form
        ref={form}
        id="link-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (problemOfMetadata(draft.metadata) === null) save.mutate()
        }}
      >
        {Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
        <LinkForm
          draft={draft}
          onDraft={change}
          ownSlug={link?.slug ?? ''}
          host={host}
          hasPassword={(link?.password ?? null) !== null}
          errors={errors}
        />
      </form>
      {isExplained && <DraftExplain draft={draft} onClose={() => setExplained(false)} />}
    </Drawer>
  )
}

/** The section of a refused field opens itself, so that the field can take the focus. */
function useFocusOnRefused(error: unknown) {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (error) form.current?.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
  }, [error])
  return form
}

/** The fields of a link while they are edited, kept in the browser with each change. */
function useDraft(workspaceId: string, link: Link | null, url: string) {
  const key = link?.id ?? 'new'
  const [before] = useState(() => (link ? draftOf(link) : EMPTY_DRAFT))
  const [kept] = useState(() => (url ? null : readKeptDraft(workspaceId, key)))
  const [draft, setDraft] = useState<LinkDraft>(
    () => kept?.draft ?? { ...before, ...(url ? { destinationUrl: url } : {}) },
  )
  const [keptAt, setKeptAt] = useState<number | null>(kept?.keptAt ?? null)
  const drop = () => dropDraft(workspaceId, key)
  return {
    draft,
    before,
    keptAt,
    drop,
    isChanged: JSON.stringify(draft) !== JSON.stringify(before),
    change: (part: Partial<LinkDraft>) => {
      const next = { ...draft, ...part }
      setDraft(next)
      keepDraft(workspaceId, key, next)
      setKeptAt(Date.now())
    },
    discard: () => {
      drop()
      setDraft(before)
      setKeptAt(null)
    },
  }
}

function useSave(
  workspaceId: string,
  link: Link | null,
  draft: LinkDraft,
  before: LinkDraft,
  onSaved: (link: Link) => void,
) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => (link ? update(link.id, toBody(draft, before)) : create(draft)),
    onSuccess: (saved) => {
      void queryClient.invalidateQueries({ queryKey: [workspaceId] })
      if (!link)
        void copyText(saved.shortUrl).then(
          () => showToast(text.links.createdAndCopied(saved.shortUrl)),
          () => showToast(text.links.created(saved.shortUrl)),
        )
      onSaved(saved)
    },
  })
}

function create(draft: LinkDraft): Promise<Link> {
  const body = toBody(draft, EMPTY_DRAFT)
  const destinationUrl = draft.destinationUrl.trim()
  return dataOf(
    api.POST('/links', {
      body: { ...body, destinationUrl, name: draft.name.trim() || nameFor(destinationUrl) },
    }),
  )
}

function update(id: string, body: Partial<Schemas['UpdateLink']>): Promise<Link> {
  return dataOf(api.PATCH('/links/{id}', { params: { path: { id } }, body }))
}

/** A taken slug is a conflict without a path; the message belongs to the field all the same. */
function toFieldErrors(error: ApiError): Record<string, string> {
  if (error.code === 'CONFLICT' && /slug/i.test(error.message)) return { slug: error.message }
  return error.fieldErrors
}
