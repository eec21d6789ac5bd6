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
import { ConflictNote, mergeDrafts, presentOf } from './conflict-note.tsx'
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
  const { draft, before, version, keptAt, isChanged, change, drop, rebase } = useDraft(link, url)
  const save = useSave(link, () =>
    link ? update(link.id, version, toBody(draft, before)) : create(draft),
  )
  const { defaultHost, options } = useHosts(link === null)
  const present = presentOf(save.error)
  const errors = save.error instanceof ApiError ? toFieldErrors(save.error) : {}
  const form = useFocusOnRefused(save.error)
  const [isExplained, setExplained] = useState(false)
  const isBlocked = link?.status === 'blocked'
  return (
    <Drawer
      title={link ? text.links.edit : text.links.newLink}
      note={
        keptAt !== null &&
        isChanged &&
        text.links.draftKept(formatClock(new Date(keptAt).toISOString()))
      }
      isChanged={isChanged}
      onClose={() => {
        if (!isChanged) drop()
        onClose()
      }}
      foot={
        <Foot
          link={link}
          isSaving={save.isPending}
          onExplain={() => setExplained(true)}
          onDiscard={isChanged ? drop : null}
        />
      }
    >
      <form
        ref={form}
        id="link-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          if (problemOfMetadata(draft.metadata) !== null) return
          save.mutate(undefined, {
            onSuccess: (saved) => {
              drop()
              onSaved(saved)
            },
          })
        }}
      >
        {!present && Object.keys(errors).length === 0 && <ErrorNote error={save.error} />}
        {present && (
          <ConflictNote
            present={present}
            before={before}
            draft={draft}
            onResolve={(keepsMine) => {
              rebase(present, keepsMine)
              save.reset()
            }}
          />
        )}
        {isBlocked && <StatusLine link={link} />}
        <fieldset disabled={isBlocked} className="contents">
          <LinkForm
            draft={draft}
            onDraft={change}
            before={before}
            host={draft.domain || defaultHost}
            hosts={options}
            hasPassword={(link?.password ?? null) !== null}
            errors={errors}
          />
        </fieldset>
      </form>
      {isExplained && <DraftExplain draft={draft} onClose={() => setExplained(false)} />}
    </Drawer>
  )
}

type FootProps = {
  link: Link | null
  isSaving: boolean
  onExplain: () => void
  /** Null: nothing was changed. */
  onDiscard: (() => void) | null
}

function Foot({ link, isSaving, onExplain, onDiscard }: FootProps) {
  return (
    <>
      <Button
        look="primary"
        type="submit"
        form="link-form"
        isBusy={isSaving}
        disabled={link?.status === 'blocked'}
      >
        {link ? text.actions.save : text.links.create}
      </Button>
      <Button icon="split" className="max-md:[&>svg]:hidden" onClick={onExplain}>
        {text.explain.short}
      </Button>
      {onDiscard && (
        <Button look="quiet" onClick={onDiscard}>
          {text.links.discard}
        </Button>
      )}
    </>
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

/** The user's input, stored in the browser at every change. */
function useDraft(link: Link | null, url: string) {
  const { id: workspaceId } = useWorkspace()
  const key = link?.id ?? 'new'
  const [before, setBefore] = useState(() => (link ? draftOf(link) : EMPTY_DRAFT))
  const [version, setVersion] = useState(link?.updatedAt ?? null)
  const [kept] = useState(() => (url ? null : readKeptDraft(workspaceId, key, before)))
  const [draft, setDraft] = useState<LinkDraft>(
    () => kept?.draft ?? { ...before, ...(url ? { destinationUrl: url } : {}) },
  )
  const [keptAt, setKeptAt] = useState<number | null>(kept?.keptAt ?? null)
  return {
    draft,
    before,
    version,
    keptAt,
    isChanged: JSON.stringify(draft) !== JSON.stringify(before),
    change: (part: Partial<LinkDraft>) => {
      const next = { ...draft, ...part }
      setDraft(next)
      keepDraft(workspaceId, key, next)
      setKeptAt(Date.now())
    },
    drop: () => {
      dropDraft(workspaceId, key)
      setDraft(before)
      setKeptAt(null)
    },
    /** Goes on from the link as it is now. */
    rebase: (present: Link, keepsMine: boolean) => {
      const theirs = draftOf(present)
      setDraft(mergeDrafts(before, draft, theirs, keepsMine))
      setBefore(theirs)
      setVersion(present.updatedAt)
    },
  }
}

function useSave(link: Link | null, save: () => Promise<Link>) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: ({ shortUrl }) => {
      // Figures from before the first link would show the page of a workspace without links.
      if (!link) queryClient.removeQueries({ queryKey: [workspaceId, 'figures'], type: 'inactive' })
      void queryClient.invalidateQueries({ queryKey: [workspaceId] })
      if (link) return
      void copyText(shortUrl).then(
        () => showToast(text.links.createdAndCopied(shortUrl)),
        () => showToast(text.links.created(shortUrl)),
      )
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

/** The server refuses it when the link is not the version any more that the drawer has read. */
function update(
  id: string,
  version: string | null,
  body: Partial<Schemas['UpdateLink']>,
): Promise<Link> {
  const tag = version === null ? undefined : entityTagOf(id, version)
  const headers = tag === undefined ? {} : { 'if-match': tag }
  return dataOf(api.PATCH('/links/{id}', { params: { path: { id } }, body, headers }))
}

/** A taken slug is a conflict without a path; the message belongs to the field all the same. */
function toFieldErrors(error: ApiError): Record<string, string> {
  if (error.code === 'CONFLICT' && /slug/i.test(error.message)) return { slug: error.message }
  return error.fieldErrors
}
