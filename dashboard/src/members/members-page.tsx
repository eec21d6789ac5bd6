import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { sessionQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Card, Skeleton } from '../kit/layout.tsx'
import { text } from '../text/en.ts'
import { InvitationDrawer } from './invitation-drawer.tsx'
import { Invitations } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { membersQuery } from './queries.ts'

export function MembersPage() {
  const { id: workspaceId } = useWorkspace()
  const mayManage = useMay('admin')
  const [isInviting, setInviting] = useState(false)
  const session = useQuery(sessionQuery)
  const { list: members, rows, total } = usePages(membersQuery(workspaceId))
  return (
    <div className="flex flex-col gap-4">
      <ErrorNote error={members.error} onRetry={() => void members.refetch()} />
      <Card
        title={text.members.title}
        note={total !== undefined && text.members.count(total)}
        action={
          mayManage && (
            <Button look="primary" icon="user-plus" onClick={() => setInviting(true)}>
              {text.members.invite}
            </Button>
          )
        }
      >
        {members.isPending && <Skeleton rows={3} height={64} />}
        <ul className="pt-2">
          {rows.map((member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isSelf={member.userId === session.data?.user.id}
            />
          ))}
        </ul>
        {members.hasNextPage && (
          <div className="p-3">
            <Button
              isBusy={members.isFetchingNextPage}
              onClick={() => void members.fetchNextPage()}
            >
              {text.actions.more}
            </Button>
          </div>
        )}
      </Card>
      {mayManage && <Invitations />}
      {isInviting && <InvitationDrawer onClose={() => setInviting(false)} />}
    </div>
  )
}
