import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { buttonClass } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/dashboards.ts'
import { targetNameQuery, type Dashboard } from './queries.ts'

/** A shared dashboard with its address, which is copied and not shown: it is a secret. */
export function DashboardRow({ dashboard, onEdit }: { dashboard: Dashboard; onEdit: () => void }) {
  const { title, days, url, hasPassword, showConversions, doIndex, createdAt, revokedAt } =
    dashboard
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold break-words">
          {title}
          {revokedAt !== null && (
            <span className="ms-2 font-normal text-stop">{text.dashboards.isRevoked}</span>
          )}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-soft">
          <span className="break-words">
            <TargetName dashboard={dashboard} />
          </span>
          <span>{text.dashboards.lastDays(days)}</span>
          {hasPassword && <Fact icon="lock">{text.dashboards.hasPassword}</Fact>}
          {showConversions && <Fact icon="target">{text.dashboards.showsConversions}</Fact>}
          {doIndex && <Fact icon="search">{text.dashboards.isListed}</Fact>}
          <span>
            {text.dashboards.created} <RelativeTime at={createdAt} />
          </span>
        </p>
      </div>
      <div className="flex items-center gap-2">
        {revokedAt === null && (
          <>
            <CopyButton value={url} label={text.dashboards.copy} />
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={text.dashboards.previewOf(title)}
              className={buttonClass('plain')}
            >
              <Icon name="eye" /> {text.dashboards.preview}
            </a>
          </>
        )}
        <DashboardMenu dashboard={dashboard} onEdit={onEdit} />
      </div>
    </li>
  )
}

function Fact({ icon, children }: { icon: 'lock' | 'target' | 'search'; children: ReactNode }) {
  return (
    <span className="inline-flex items-center gap-1">
      <Icon name={icon} size={14} /> {children}
    </span>
  )
}

function TargetName({ dashboard }: { dashboard: Dashboard }) {
  const { id: workspaceId } = useWorkspace()
  const { linkId, campaignId, folderId } = dashboard
  const name = useQuery(targetNameQuery(workspaceId, dashboard))
  if ((linkId ?? campaignId ?? folderId) === null) return text.dashboards.kinds.workspace
  if (name.error) return text.dashboards.targetGone
  const kind = linkId === null ? (campaignId === null ? 'folderId' : 'campaignId') : 'linkId'
  return `${text.dashboards.kinds[kind]}: ${name.data ?? '…'}`
}

function DashboardMenu({ dashboard, onEdit }: { dashboard: Dashboard; onEdit: () => void }) {
  const { id, title, revokedAt } = dashboard
  const params = { path: { id } }
  const setRevoked = (revoked: boolean) =>
    dataOf(api.PATCH('/dashboards/{id}', { params, body: { revoked } }))
  const isShared = revokedAt === null
  return (
    <RowMenu
      label={text.dashboards.actionsOf(title)}
      actions={[
        { icon: 'pencil', label: text.actions.edit, onSelect: onEdit },
        {
          icon: 'refresh-cw',
          label: text.dashboards.rotate,
          run: () => dataOf(api.POST('/dashboards/{id}/rotate', { params })),
          told: text.dashboards.rotated(title),
          question: {
            title: text.dashboards.rotateTitle(title),
            explain: text.dashboards.rotateExplain,
          },
        },
        {
          icon: isShared ? 'ban' : 'rotate-ccw',
          label: isShared ? text.dashboards.revoke : text.dashboards.restore,
          // The address stays the same, so that a revocation can be taken back.
          run: () => setRevoked(isShared),
          told: isShared ? text.dashboards.revoked(title) : text.dashboards.restored(title),
          undo: () => setRevoked(!isShared),
        },
        {
          icon: 'trash-2',
          label: text.dashboards.delete,
          isDanger: true,
          run: () => ask(api.DELETE('/dashboards/{id}', { params })),
          told: text.dashboards.deleted(title),
          question: {
            title: text.dashboards.deleteTitle(title),
            explain: text.dashboards.deleteExplain,
          },
        },
      ]}
    />
  )
}
