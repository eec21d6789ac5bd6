import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, IconButton } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Icon, type IconName } from '../kit/icon.tsx'
import { Card, Skeleton } from '../kit/layout.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { InvitationLinkDrawer } from './invitation-link.tsx'
import { invitationsQuery, type Invitation } from './queries.ts'

const LOOKS: Record<Invitation['status'], readonly [IconName, string]> = {
  pending: ['clock', 'text-warn'],
  accepted: ['circle-check', 'text-ok'],
  rejected: ['circle-x', 'text-stop'],
  canceled: ['ban', 'text-soft'],
  expired: ['clock', 'text-soft'],
}

export function Invitations() {
  const { id: workspaceId } = useWorkspace()
  const { list: invitations, rows } = usePages(invitationsQuery(workspaceId))
  return (
    <Card title={text.members.invitations}>
      <ErrorNote error={invitations.error} onRetry={() => void invitations.refetch()} />
      {invitations.isPending && <Skeleton rows={2} height={52} />}
      {invitations.data && rows.length === 0 && (
        <p className="p-4 text-sm text-soft">{text.members.noInvitations}</p>
      )}
      <ul className="pt-2">
        {rows.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </ul>
      {invitations.hasNextPage && (
        <div className="p-3">
          <Button
            isBusy={invitations.isFetchingNextPage}
            onClick={() => void invitations.fetchNextPage()}
          >
            {text.actions.more}
          </Button>
        </div>
      )}
    </Card>
  )
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const { email, role, status, expiresAt } = invitation
  const [icon, color] = LOOKS[status]
  const isOwner = useMay('owner')
  const isOpen = status === 'pending' || status === 'expired'
  return (
    <li className="flex min-h-12 flex-wrap items-center gap-x-3 border-t border-line px-4 py-1 text-sm first:border-t-0">
      <span className="min-w-52 flex-1 font-semibold break-all">{email}</span>
      <span>{text.settings.roles[role]}</span>
      <span className={`inline-flex items-center gap-1 font-semibold ${color}`}>
        <Icon name={icon} /> {text.members.invitationStatuses[status]}
      </span>
      {status === 'pending' && (
        <span className="text-soft">
          {text.members.expires} <RelativeTime at={expiresAt} />
        </span>
      )}
      {isOpen && <InvitationMenu invitation={invitation} maySend={isOwner || role !== 'owner'} />}
    </li>
  )
}

function InvitationMenu({
  invitation: { id, email, role, status },
  maySend,
}: {
  invitation: Invitation
  maySend: boolean
}) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const [isLinking, setLinking] = useState(false)
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'invitations'] })
  const onError = (error: Error) => showToast(error.message, { isError: true })
  const invite = () => dataOf(api.POST('/invitations', { body: { email, role } }))
  const resend = useMutation({
    mutationFn: invite,
    onSuccess: ({ mailed }) =>
      mailed
        ? showToast(text.members.invitedAgain(email))
        : showToast(text.members.notMailed(email), { isError: true }),
    onError,
    onSettled: refresh,
  })
  const cancel = useMutation({
    mutationFn: () => ask(api.DELETE('/invitations/{id}', { params: { path: { id } } })),
    onSuccess: () => showToast(text.members.canceled(email)),
    onError,
    onSettled: refresh,
  })
  return (
    <>
      <Menu
        trigger={<IconButton icon="ellipsis" label={text.members.actionsOfInvitation(email)} />}
      >
        {status === 'pending' && (
          <MenuItem icon="link" onSelect={() => setLinking(true)}>
            {text.members.getLink}
          </MenuItem>
        )}
        {maySend && (
          <MenuItem icon="send" onSelect={() => resend.mutate()}>
            {text.members.resend}
          </MenuItem>
        )}
        <MenuItem icon="ban" isDanger onSelect={() => cancel.mutate()}>
          {text.members.cancelInvitation}
        </MenuItem>
      </Menu>
      {isLinking && (
        <InvitationLinkDrawer id={id} email={email} onClose={() => setLinking(false)} />
      )}
    </>
  )
}
