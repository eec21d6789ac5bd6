import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { api, ask } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { TextField } from '../kit/field.tsx'
import { FormDrawer } from '../kit/form-drawer.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { useForm } from '../kit/use-form.ts'
import { text } from '../text/bio-pages.ts'
import { PageStatus } from './page-status.tsx'
import { bioPagesQuery, type BioPage } from './queries.ts'

export function BioPagesPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { new: isNew, importId } = useSearch({ from: '/signed-in/$workspaceId/bio-pages' })
  const navigate = useNavigate({ from: '/$workspaceId/bio-pages' })
  const mayWrite = useMay('member')
  const pages = usePages(bioPagesQuery(workspaceId))
  const { total } = pages
  const newButton = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
      {text.bioPages.new_}
    </Button>
  )
  return (
    <>
      <PageHead
        title={text.bioPages.title}
        note={total !== undefined && text.bioPages.count(total)}
      >
        {total !== 0 && newButton}
      </PageHead>
      <PagedList
        label={text.bioPages.title}
        pages={pages}
        empty={
          <Empty icon="smartphone" title={text.bioPages.none} action={newButton}>
            {text.bioPages.noneExplain}
          </Empty>
        }
      >
        {(page) => <PageRow key={page.id} page={page} />}
      </PagedList>
      {isNew && mayWrite && (
        <NewPageDrawer importId={importId} onClose={() => void navigate({ search: {} })} />
      )}
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
      <p className="text-sm text-soft">{text.bioPages.figures(views, clicks)}</p>
    </li>
  )
}

/** A new page is a draft, and opens in the editor. */
function NewPageDrawer({
  importId,
  onClose,
}: {
  importId: string | undefined
  onClose: () => void
}) {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const navigate = useNavigate()
  const form = useForm({
    start: () => ({ title: '', slug: '' }),
    save: (draft) =>
      ask(api.POST('/bio-pages', { body: { ...draft, ...(importId && { importId }) } })),
    told: ({ meta }) => (meta.leftOut > 0 ? text.bioPages.leftOut(meta.leftOut) : undefined),
    onSaved: ({ data: { id: pageId } }) =>
      navigate({ to: '/$workspaceId/bio-pages/$pageId', params: { workspaceId, pageId } }),
  })
  return (
    <FormDrawer
      form={form}
      title={text.bioPages.new_}
      note={importId && text.bioPages.fromImport}
      action={text.bioPages.create}
      onClose={onClose}
    >
      <TextField
        label={text.bioPages.titleField}
        required
        autoFocus
        maxLength={100}
        {...form.field('title')}
      />
      <TextField
        label={text.bioPages.slug}
        hint={text.bioPages.slugHint}
        required
        maxLength={100}
        className="font-mono"
        {...form.field('slug')}
      />
    </FormDrawer>
  )
}
