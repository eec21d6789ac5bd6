import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/members.ts'
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
  return (
    <Card title={text.members.invitations}>
      <PagedList
        isInCard
        label={text.members.invitations}
        pages={usePages(invitationsQuery(workspaceId))}
        waiting={{ rows: 2, height: 52 }}
        empty={<p className="p-4 text-sm text-soft">{text.members.noInvitations}</p>}
      >
        {(invitation) => <InvitationRow key={invitation.id} invitation={invitation} />}
      </PagedList>
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
      <span>{text.names.roles[role]}</span>
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
  const [isLinking, setLinking] = useState(false)
  return (
    <>
      <RowMenu
        label={text.members.actionsOfInvitation(email)}
        actions={[
          status === 'pending' && {
            icon: 'link',
            label: text.members.getLink,
            onSelect: () => setLinking(true),
          },
          maySend && {
            icon: 'send',
            label: text.members.resend,
            run: async () => {
              const { mailed } = await dataOf(api.POST('/invitations', { body: { email, role } }))
              if (mailed) showToast(text.members.invitedAgain(email))
              else showToast(text.members.notMailed(email), { isError: true })
            },
          },
          {
            icon: 'ban',
            label: text.members.cancelInvitation,
            isDanger: true,
            run: () => ask(api.DELETE('/invitations/{id}', { params: { path: { id } } })),
            told: text.members.canceled(email),
          },
        ]}
      />
      {isLinking && (
        <InvitationLinkDrawer id={id} email={email} onClose={() => setLinking(false)} />
      )}
    </>
  )
}
