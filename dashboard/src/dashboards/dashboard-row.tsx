import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { useWorkspace } from '../api/workspace.ts'
import { buttonClass, IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { targetNameQuery, type Dashboard } from './queries.ts'

/** A shared dashboard with its address, which is copied and not shown: it is a secret. */
export function DashboardRow({ dashboard, onEdit }: { dashboard: Dashboard; onEdit: () => void }) {
  const { title, days, url, hasPassword, showConversions, doIndex, createdAt, revokedAt } =
    dashboard
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-2 pr-2 pl-4 first:border-t-0">
      <div className="min-w-0 flex-1 basis-64">
        <p className="font-semibold break-words">
          {title}
          {revokedAt !== null && (
            <span className="ml-2 font-normal text-stop">{text.dashboards.isRevoked}</span>
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
  const [asked, setAsked] = useState<'rotate' | 'delete' | null>(null)
  const refresh = useRefresh()
  const setRevoked = useRevocation(dashboard)
  const params = { path: { id } }
  const close = () => setAsked(null)
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={text.dashboards.actionsOf(title)} />}>
        <MenuItem icon="pencil" onSelect={onEdit}>
          {text.actions.edit}
        </MenuItem>
        <MenuItem icon="refresh-cw" onSelect={() => setAsked('rotate')}>
          {text.dashboards.rotate}
        </MenuItem>
        <MenuItem
          icon={revokedAt === null ? 'ban' : 'rotate-ccw'}
          onSelect={() => setRevoked.mutate(revokedAt === null)}
        >
          {revokedAt === null ? text.dashboards.revoke : text.dashboards.restore}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="trash-2" isDanger onSelect={() => setAsked('delete')}>
          {text.dashboards.delete}
        </MenuItem>
      </Menu>
      {asked === 'rotate' && (
        <Confirm
          title={text.dashboards.rotateTitle(title)}
          action={text.dashboards.rotate}
          onClose={close}
          onConfirm={async () => {
            await dataOf(api.POST('/dashboards/{id}/rotate', { params }))
            showToast(text.dashboards.rotated(title))
            await refresh()
          }}
        >
          {text.dashboards.rotateExplain}
        </Confirm>
      )}
      {asked === 'delete' && (
        <Confirm
          title={text.dashboards.deleteTitle(title)}
          action={text.dashboards.delete}
          onClose={close}
          onConfirm={async () => {
            await ask(api.DELETE('/dashboards/{id}', { params }))
            showToast(text.dashboards.deleted(title))
            await refresh()
          }}
        >
          {text.dashboards.deleteExplain}
        </Confirm>
      )}
    </>
  )
}

function useRefresh(): () => Promise<void> {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  return () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'dashboards'] })
}

/** The address stays the same, so that a revocation can be taken back. */
function useRevocation({ id, title }: Dashboard) {
  const refresh = useRefresh()
  const patch = async (revoked: boolean) => {
    const params = { path: { id } }
    await dataOf(api.PATCH('/dashboards/{id}', { params, body: { revoked } }))
    await refresh()
  }
  const fail = (error: Error) => showToast(error.message, { isError: true })
  return useMutation({
    mutationFn: patch,
    onSuccess: (_, revoked) =>
      showToast(revoked ? text.dashboards.revoked(title) : text.dashboards.restored(title), {
        undo: () => {
          patch(!revoked).catch(fail)
        },
      }),
    onError: fail,
  })
}
