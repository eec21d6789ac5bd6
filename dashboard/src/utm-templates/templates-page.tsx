import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { CampaignTabs } from '../kit/campaign-tabs.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { toUtmValues, UTM_FIELDS, utmDraftOf } from '../kit/utm-fields.tsx'
import { text } from '../text/en.ts'
import { templatesQuery, type UtmTemplate } from './queries.ts'
import { TemplateDrawer } from './template-drawer.tsx'

export function TemplatesPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/utm-templates' })
  const navigate = useNavigate({ from: '/$workspaceId/utm-templates' })
  const templates = useQuery(templatesQuery(workspaceId))
  const [edited, setEdited] = useState<UtmTemplate | null>(null)
  const mayWrite = useMay('member')
  const rows = templates.data ?? []
  return (
    <>
      <PageHead
        title={text.templates.title}
        note={templates.data && text.templates.count(rows.length)}
      >
        {mayWrite && (
          <Button
            look="primary"
            icon="plus"
            onClick={() => void navigate({ search: { new: true } })}
          >
            {text.templates.new_}
          </Button>
        )}
      </PageHead>
      <CampaignTabs />
      <ErrorNote error={templates.error} onRetry={() => void templates.refetch()} />
      {templates.isPending && <Skeleton rows={3} height={56} />}
      {templates.data && rows.length === 0 && (
        <Empty icon="tags" title={text.templates.none}>
          {text.templates.noneExplain}
        </Empty>
      )}
      {rows.length > 0 && (
        <ul aria-label={text.templates.title} className="rounded border border-line bg-card">
          {rows.map((template) => (
            <TemplateRow
              key={template.id}
              template={template}
              onEdit={mayWrite ? () => setEdited(template) : null}
            />
          ))}
        </ul>
      )}
      {search.new && mayWrite && <TemplateDrawer onClose={() => void navigate({ search: {} })} />}
      {edited && <TemplateDrawer template={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

/** @param onEdit null: the user may only read */
function TemplateRow({ template, onEdit }: { template: UtmTemplate; onEdit: (() => void) | null }) {
  const remove = useRemoval(template)
  const given = UTM_FIELDS.flatMap((name) => (template[name] ? [[name, template[name]]] : []))
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pr-2 pl-4 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{template.name}</p>
        <p className="font-mono text-sm wrap-anywhere text-soft">
          {given.map(([name, value]) => `utm_${name!.slice(3).toLowerCase()}=${value}`).join(' & ')}
        </p>
      </div>
      {onEdit && (
        <Menu
          trigger={<IconButton icon="ellipsis" label={text.templates.actionsOf(template.name)} />}
        >
          <MenuItem icon="pencil" onSelect={onEdit}>
            {text.actions.edit}
          </MenuItem>
          <MenuItem icon="trash-2" isDanger onSelect={() => remove.mutate()}>
            {text.templates.delete}
          </MenuItem>
        </Menu>
      )}
    </li>
  )
}

/** Links keep the values that they took from a template, so it is deleted at once, and made again by undo. */
function useRemoval(template: UtmTemplate) {
  const queryClient = useQueryClient()
  const { id, name, workspaceId } = template
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId] })
  const restore = async () => {
    const body = { name, ...toUtmValues(utmDraftOf(template)) }
    try {
      await dataOf(api.POST('/utm-templates', { body }))
      showToast(text.templates.restored(name))
    } catch (error) {
      showToast((error as Error).message, { isError: true })
    }
    await refresh()
  }
  return useMutation({
    mutationFn: () => ask(api.DELETE('/utm-templates/{id}', { params: { path: { id } } })),
    onSuccess: () => showToast(text.templates.deleted(name), { undo: () => void restore() }),
    onError: (error) => showToast(error.message, { isError: true }),
    onSettled: refresh,
  })
}
