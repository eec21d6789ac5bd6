import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usePages } from '../api/pages.ts'
import { sessionQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Card } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { text } from '../text/members.ts'
import { InvitationDrawer } from './invitation-drawer.tsx'
import { Invitations } from './invitations.tsx'
import { MemberRow } from './member-row.tsx'
import { membersQuery } from './queries.ts'

export function MembersPage() {
  const { id: workspaceId } = useWorkspace()
  const mayManage = useMay('admin')
  const [isInviting, setInviting] = useState(false)
  const session = useQuery(sessionQuery)
  const members = usePages(membersQuery(workspaceId))
  const { total } = members
  return (
    <div className="flex flex-col gap-4">
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
        <PagedList isInCard label={text.members.title} pages={members}>
          {(member) => (
            <MemberRow
              key={member.userId}
              member={member}
              isSelf={member.userId === session.data?.user.id}
            />
          )}
        </PagedList>
      </Card>
      {mayManage && <Invitations />}
      {isInviting && <InvitationDrawer onClose={() => setInviting(false)} />}
    </div>
  )
}
