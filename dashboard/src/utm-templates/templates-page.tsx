import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CampaignTabs } from '../kit/campaign-tabs.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { toParameter, toUtmValues, UTM_FIELDS, utmDraftOf } from '../kit/utm-fields.tsx'
import { text } from '../text/campaigns.ts'
import { templatesQuery, type UtmTemplate } from './queries.ts'
import { TemplateDrawer } from './template-drawer.tsx'

export function TemplatesPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/utm-templates' })
  const navigate = useNavigate({ from: '/$workspaceId/utm-templates' })
  const templates = usePages(templatesQuery(workspaceId))
  const [edited, setEdited] = useState<UtmTemplate | null>(null)
  const mayWrite = useMay('member')
  const { total } = templates
  const newButton = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
      {text.templates.new_}
    </Button>
  )
  return (
    <>
      <PageHead
        title={text.templates.title}
        note={total !== undefined && text.templates.count(total)}
      >
        {total !== 0 && newButton}
      </PageHead>
      <CampaignTabs />
      <PagedList
        label={text.templates.title}
        pages={templates}
        empty={
          <Empty icon="tags" title={text.templates.none} action={newButton}>
            {text.templates.noneExplain}
          </Empty>
        }
      >
        {(template) => (
          <TemplateRow
            key={template.id}
            template={template}
            onEdit={mayWrite ? () => setEdited(template) : null}
          />
        )}
      </PagedList>
      {search.new && mayWrite && <TemplateDrawer onClose={() => void navigate({ search: {} })} />}
      {edited && <TemplateDrawer template={edited} onClose={() => setEdited(null)} />}
    </>
  )
}

/** @param onEdit null: the user may only read */
function TemplateRow({ template, onEdit }: { template: UtmTemplate; onEdit: (() => void) | null }) {
  const { id, name } = template
  const given = UTM_FIELDS.filter((field) => template[field])
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">{name}</p>
        <p className="font-mono text-sm wrap-anywhere text-soft">
          {given.map((field) => `${toParameter(field)}=${template[field]}`).join(' & ')}
        </p>
      </div>
      {onEdit && (
        <RowMenu
          label={text.templates.actionsOf(name)}
          actions={[
            { icon: 'pencil', label: text.actions.edit, onSelect: onEdit },
            {
              icon: 'trash-2',
              label: text.templates.delete,
              isDanger: true,
              // Links keep the values that they took from a template, so it is deleted at once, and made again by undo.
              run: () => ask(api.DELETE('/utm-templates/{id}', { params: { path: { id } } })),
              told: text.templates.deleted(name),
              undo: async () => {
                const body = { name, ...toUtmValues(utmDraftOf(template)) }
                await dataOf(api.POST('/utm-templates', { body }))
                return text.templates.restored(name)
              },
            },
          ]}
        />
      )}
    </li>
  )
}
