import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { TextField } from '../kit/field.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/en.ts'
import { PageStatus } from './page-status.tsx'
import { bioPagesQuery, type BioPage } from './queries.ts'

const words = text.bioPages

export function BioPagesPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { new: isNew } = useSearch({ from: '/signed-in/$workspaceId/bio-pages' })
  const navigate = useNavigate({ from: '/$workspaceId/bio-pages' })
  const mayWrite = useMay('member')
  const pages = usePages(bioPagesQuery(workspaceId))
  const { total } = pages
  return (
    <>
      <PageHead title={words.title} note={total !== undefined && words.count(total)}>
        {mayWrite && (
          <Button
            look="primary"
            icon="plus"
            onClick={() => void navigate({ search: { new: true } })}
          >
            {words.new_}
          </Button>
        )}
      </PageHead>
      <PagedList
        label={words.title}
        pages={pages}
        empty={
          <Empty icon="smartphone" title={words.none}>
            {words.noneExplain}
          </Empty>
        }
      >
        {(page) => <PageRow key={page.id} page={page} />}
      </PagedList>
      {isNew && mayWrite && <NewPageDrawer onClose={() => void navigate({ search: {} })} />}
    </>
  )
}

function PageRow({ page }: { page: BioPage }) {
  const { id, workspaceId, title, url, views, clicks } = page
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <Link
          to="/$workspaceId/bio-pages/$pageId"
          params={{ workspaceId, pageId: id }}
          className="flex min-h-8 items-center font-semibold break-words no-underline max-md:min-h-11"
        >
          <span className="min-w-0">{title}</span>
        </Link>
        <p className="truncate font-mono text-xs text-soft">{url}</p>
      </div>
      <PageStatus page={page} />
      <p className="text-sm text-soft">{words.figures(views, clicks)}</p>
    </li>
  )
}

/** A new page is a draft, and opens in the editor. */
function NewPageDrawer({ onClose }: { onClose: () => void }) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [title, setTitle] = useState('')
  const [slug, setSlug] = useState('')
  const create = useMutation({
    mutationFn: () => dataOf(api.POST('/bio-pages', { body: { title, slug } })),
    onSuccess: async ({ id: pageId }) => {
      await queryClient.invalidateQueries({ queryKey: [workspaceId, 'bio-pages'] })
      await navigate({
        to: '/$workspaceId/bio-pages/$pageId',
        params: { workspaceId, pageId },
      })
    },
  })
  const errors = create.error instanceof ApiError ? create.error.fieldErrors : {}
  return (
    <Drawer
      title={words.new_}
      isChanged={title !== '' || slug !== ''}
      onClose={onClose}
      foot={
        <Button look="primary" type="submit" form="bio-page-form" isBusy={create.isPending}>
          {words.create}
        </Button>
      }
    >
      <form
        id="bio-page-form"
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate()
        }}
      >
        {Object.keys(errors).length === 0 && <ErrorNote error={create.error} />}
        <TextField
          label={words.titleField}
          required
          autoFocus
          maxLength={100}
          value={title}
          onValue={setTitle}
          error={errors.title}
        />
        <TextField
          label={words.slug}
          hint={words.slugHint}
          required
          maxLength={100}
          className="font-mono"
          value={slug}
          onValue={setSlug}
          error={errors.slug}
        />
      </form>
    </Drawer>
  )
}
