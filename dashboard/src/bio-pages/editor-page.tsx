import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useMay } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Icon } from '../kit/icon.tsx'
import { PageHead } from '../kit/layout.tsx'
import { Unread } from '../kit/object-page.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { useForm, type From } from '../kit/use-form.ts'
import { text } from '../text/bio-pages.ts'
import { AddressCard } from './address-card.tsx'
import { BlocksCard } from './blocks-card.tsx'
import { DeletePage } from './delete-page.tsx'
import { LeaveQuestion } from './leave-question.tsx'
import { HeadCard, LookCard, SearchCard } from './page-cards.tsx'
import { PageConflict } from './page-conflict.tsx'
import { PageStatus } from './page-status.tsx'
import { PageTabs } from './page-tabs.tsx'
import { draftOf, toBody, type Draft } from './draft.ts'
import { PreviewButton, PreviewCard } from './preview-card.tsx'
import { bioPageQuery, savePage, type BioPage, type ReadPage } from './queries.ts'
import { SocialsCard } from './socials-card.tsx'

const LIST = '/$workspaceId/bio-pages'

export function EditorPage() {
  const { workspaceId, pageId } = useParams({ from: '/signed-in/$workspaceId/bio-pages/$pageId' })
  const read = useQuery(bioPageQuery(workspaceId, pageId))
  if (!read.data)
    return (
      <Unread
        to={LIST}
        title={text.bioPages.title}
        read={read}
        icon="smartphone"
        missing={text.bioPages.missing}
      />
    )
  return <Editor key={pageId} read={read.data} />
}

/** Everything that the page shows; a viewer reads it. A save binds to the version that it began from. */
function Editor({ read }: { read: ReadPage }) {
  const mayWrite = useMay('member')
  const queryClient = useQueryClient()
  const [page, setPage] = useState(read.value)
  const { workspaceId, id } = page
  const form = useForm({
    start: () => draftOf(page),
    version: { etag: read.etag, draftOf },
    save: (draft, { etag, extra }: From<Draft, Pick<BioPage, 'status'>>) =>
      savePage(id, etag, { ...toBody(draft), ...extra }),
    told: ({ value: { status } }) => {
      if (status === page.status) return undefined
      return status === 'published' ? text.bioPages.published : text.bioPages.withdrawn
    },
    onSaved: (saved) => {
      setPage(saved.value)
      form.restart(draftOf(saved.value), saved.etag)
      queryClient.setQueryData(bioPageQuery(workspaceId, id).queryKey, saved)
    },
  })
  const isPublished = page.status === 'published'
  return (
    <>
      <PageHead title={page.title} note={<PageStatus page={page} />}>
        {mayWrite && <DeletePage page={page} />}
        <Share page={page} />
        {!mayWrite && <PreviewButton page={page} draft={form.draft} />}
        {mayWrite && (
          <Button
            look={isPublished ? 'plain' : 'primary'}
            isBusy={form.isSaving}
            onClick={() => form.save({ status: isPublished ? 'draft' : 'published' })}
          >
            {isPublished ? text.bioPages.withdraw : text.bioPages.publish}
          </Button>
        )}
      </PageHead>
      <PageTabs page={page} />
      <LeaveQuestion isChanged={form.isChanged} />
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[minmax(0,1fr)_auto]">
        <form
          id={form.id}
          onSubmit={(event) => {
            event.preventDefault()
            form.save()
          }}
        >
          <fieldset disabled={!mayWrite} className="flex min-w-0 flex-col gap-4">
            <legend className="sr-only">{text.bioPages.content}</legend>
            <HeadCard form={form} />
            <BlocksCard form={form} />
            <SocialsCard form={form} />
            <LookCard form={form} />
            <AddressCard form={form} />
            <SearchCard form={form} />
            <PageConflict form={form} />
            <ErrorNote error={form.conflict ? null : form.refusal} />
            {mayWrite && (
              <SaveBar isChanged={form.isChanged} isBusy={form.isSaving}>
                <PreviewButton page={page} draft={form.draft} />
              </SaveBar>
            )}
          </fieldset>
        </form>
        <PreviewCard page={page} draft={form.draft} />
      </div>
    </>
  )
}

type SaveBarProps = { isChanged: boolean; isBusy: boolean; children: ReactNode }

function SaveBar({ isChanged, isBusy, children }: SaveBarProps) {
  return (
    <div className="sticky bottom-0 flex items-center gap-3 border-t border-line bg-paper py-3 max-md:bottom-14">
      <Button look="primary" type="submit" disabled={!isChanged} isBusy={isBusy}>
        {text.actions.save}
      </Button>
      <span role="status" className="flex-1 text-sm text-soft">
        {isChanged ? text.bioPages.unsaved : text.bioPages.saved}
      </span>
      {children}
    </div>
  )
}

/** The address of the page, as a text to copy and as a code to print. */
function Share({ page: { url, status } }: { page: BioPage }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button icon="qr-code" onClick={() => setOpen(true)}>
        {text.bioPages.share}
      </Button>
      {isOpen && (
        <Popup title={text.bioPages.share} onClose={() => setOpen(false)}>
          <div className="self-center rounded border border-line bg-[#fff]">
            <QrCode value={url} size={240} />
          </div>
          <p className="font-mono text-sm break-all">{url}</p>
          {status === 'draft' && <p className="text-sm text-soft">{text.bioPages.shareDraft}</p>}
          <div className="flex flex-wrap gap-2">
            <CopyButton value={url} label={text.actions.copy} />
            {status === 'published' && (
              <a href={url} target="_blank" rel="noreferrer" className={buttonClass()}>
                <Icon name="external-link" /> {text.bioPages.open}
              </a>
            )}
          </div>
        </Popup>
      )}
    </>
  )
}
