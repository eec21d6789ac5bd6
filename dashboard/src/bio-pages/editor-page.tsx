import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf, type Schemas } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { useMay } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Icon } from '../kit/icon.tsx'
import { PageHead, Skeleton } from '../kit/layout.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { BlocksCard } from './blocks-card.tsx'
import { draftOf, toBody, type Draft } from './draft.ts'
import { HeadCard, LookCard, SearchCard } from './page-cards.tsx'
import { PageStatus } from './page-status.tsx'
import { PageTabs } from './page-tabs.tsx'
import { bioPageQuery, type BioPage } from './queries.ts'

const words = text.bioPages

export function EditorPage() {
  const { workspaceId, pageId } = useParams({ from: '/signed-in/$workspaceId/bio-pages/$pageId' })
  const page = useQuery(bioPageQuery(workspaceId, pageId))
  if (page.error) return <ErrorNote error={page.error} onRetry={() => void page.refetch()} />
  if (!page.data) return <Skeleton rows={4} height={96} />
  return <Editor key={pageId} page={page.data} />
}

/** Everything that the page shows; a viewer reads it. */
function Editor({ page }: { page: BioPage }) {
  const mayWrite = useMay('member')
  const [before, setBefore] = useState(() => draftOf(page))
  const [draft, setDraft] = useState(before)
  const save = useSave(page, (saved) => {
    setBefore(draftOf(saved))
    setDraft(draftOf(saved))
  })
  const errors = save.error instanceof ApiError ? save.error.fieldErrors : {}
  const isChanged = JSON.stringify(draft) !== JSON.stringify(before)
  const change = (part: Partial<Draft>) => setDraft((now) => ({ ...now, ...part }))
  const cards = { draft, errors, onChange: change }
  return (
    <>
      <PageHead title={page.title} note={<PageStatus page={page} />}>
        <Share page={page} />
        {mayWrite && (
          <Button
            isBusy={save.isPending}
            onClick={() =>
              save.mutate({
                ...toBody(draft),
                status: page.status === 'published' ? 'draft' : 'published',
              })
            }
          >
            {page.status === 'published' ? words.withdraw : words.publish}
          </Button>
        )}
      </PageHead>
      <PageTabs page={page} />
      <form
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate(toBody(draft))
        }}
      >
        <fieldset disabled={!mayWrite} className="flex flex-col gap-4">
          <legend className="sr-only">{words.content}</legend>
          <HeadCard {...cards} />
          <BlocksCard {...cards} />
          <LookCard {...cards} />
          <SearchCard {...cards} />
          <ErrorNote error={save.error} />
          {mayWrite && (
            <div className="sticky bottom-0 flex items-center gap-3 border-t border-line bg-paper py-3 max-md:bottom-14">
              <Button look="primary" type="submit" disabled={!isChanged} isBusy={save.isPending}>
                {text.actions.save}
              </Button>
              <span role="status" className="text-sm text-soft">
                {isChanged ? words.unsaved : words.saved}
              </span>
            </div>
          )}
        </fieldset>
      </form>
    </>
  )
}

function useSave(page: BioPage, onSaved: (page: BioPage) => void) {
  const queryClient = useQueryClient()
  const { id, workspaceId } = page
  return useMutation({
    mutationFn: (body: Schemas['UpdateBioPage']) =>
      dataOf(api.PATCH('/bio-pages/{id}', { params: { path: { id } }, body })),
    onSuccess: async (saved) => {
      onSaved(saved)
      queryClient.setQueryData(bioPageQuery(workspaceId, id).queryKey, saved)
      if (saved.status !== page.status)
        showToast(saved.status === 'published' ? words.published : words.withdrawn)
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'bio-pages'] })
    },
  })
}

/** The address of the page, as a text to copy and as a code to print. */
function Share({ page: { url, status } }: { page: BioPage }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="qr-code" onClick={() => setOpen(true)}>
        {words.share}
      </Button>
      {isOpen && (
        <Popup title={words.share} onClose={() => setOpen(false)}>
          <div className="self-center rounded border border-line bg-[#fff]">
            <QrCode value={url} size={240} />
          </div>
          <p className="font-mono text-sm break-all">{url}</p>
          {status === 'draft' && <p className="text-sm text-soft">{words.shareDraft}</p>}
          <div className="flex flex-wrap gap-2">
            <CopyButton value={url} label={text.actions.copy} />
            {status === 'published' && (
              <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
                <Icon name="external-link" /> {words.open}
              </a>
            )}
          </div>
        </Popup>
      )}
    </>
  )
}
