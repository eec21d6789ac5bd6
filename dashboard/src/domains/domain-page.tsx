import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { PageHead } from '../kit/layout.tsx'
import { Breadcrumb, Unread } from '../kit/object-page.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { text } from '../text/domains.ts'
import { DeleteDomain } from './delete-domain.tsx'
import { DefaultMark } from './domain-status.tsx'
import { DomainFacts } from './domain-facts.tsx'
import { domainQuery, type Domain } from './queries.ts'
import { RecordsCard } from './records-card.tsx'
import type { DomainPopup } from './search.ts'
import { SettingsDrawer } from './settings-drawer.tsx'
import { StatusCard } from './status-card.tsx'
import { StatusHistory } from './status-history.tsx'

const LIST = '/$workspaceId/domains'

/** One domain: its state and what to do about it, its records, its settings. */
export function DomainPage() {
  const { workspaceId, domainId } = useParams({
    from: '/signed-in/$workspaceId/domains/$domainId',
  })
  const read = useQuery(domainQuery(workspaceId, domainId))
  if (read.data) return <Shown domain={read.data.value} error={read.error} />
  return (
    <Unread
      to={LIST}
      title={text.domains.title}
      read={read}
      icon="globe"
      missing={text.domains.missing}
    />
  )
}

function Shown({ domain, error }: { domain: Domain; error: unknown }) {
  const { open } = useSearch({ from: '/signed-in/$workspaceId/domains/$domainId' })
  const navigate = useNavigate({ from: '/$workspaceId/domains/$domainId' })
  const mayManage = useMay('admin')
  const { workspaceId, hostname, isDefault } = domain
  const show = (popup: DomainPopup | undefined) => void navigate({ search: { open: popup } })
  const close = () => show(undefined)
  return (
    <>
      <Breadcrumb to={LIST} title={text.domains.title} here={hostname} />
      <PageHead
        tabTitle={hostname}
        title={<span className="font-mono break-all">{hostname}</span>}
        note={isDefault && <DefaultMark isDefault />}
      >
        {mayManage && (
          <RowMenu
            label={text.domains.actionsOf(hostname)}
            actions={[
              { icon: 'settings', label: text.domains.settings, onSelect: () => show('edit') },
              {
                icon: 'trash-2',
                label: text.domains.delete,
                isDanger: true,
                onSelect: () => show('delete'),
              },
            ]}
          />
        )}
      </PageHead>
      <div className="flex flex-col gap-4">
        <ErrorNote error={error} />
        <StatusCard domain={domain} />
        <RecordsCard domain={domain} />
        <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
          <DomainFacts domain={domain} onEdit={() => show('edit')} />
          {mayManage && <StatusHistory domain={domain} />}
        </div>
      </div>
      {open === 'edit' && mayManage && <SettingsDrawer domainId={domain.id} onClose={close} />}
      {open === 'delete' && mayManage && (
        <DeleteDomain
          domain={domain}
          onClose={close}
          onDeleted={() => navigate({ to: '/$workspaceId/domains', params: { workspaceId } })}
        />
      )}
    </>
  )
}
