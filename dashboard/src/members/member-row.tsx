import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf, setWorkspace } from '../api/client.ts'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { INPUT } from '../kit/field.tsx'
import { formatDay } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import type { Member, Role } from './queries.ts'

export const ROLES = ['viewer', 'member', 'admin', 'owner'] as const

/** A member, and what the user may do about it: an admin changes everyone but owners. */
export function MemberRow({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const isOwner = useMay('owner')
  const isAdmin = useMay('admin')
  const mayChange = isAdmin && (isOwner || member.role !== 'owner')
  const setRole = useRoleChange(member, isSelf)
  return (
    <li className="flex flex-col gap-2 border-t border-line px-4 py-2 first:border-t-0">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1 md:grid-cols-[minmax(0,1fr)_19rem_8rem_44px]">
        <div className="max-md:col-span-2">
          <p className="font-semibold break-words">
            {member.name}{' '}
            {isSelf && <span className="text-sm font-normal text-soft">({text.members.you})</span>}
          </p>
          <p className="text-sm break-all text-soft">{member.email}</p>
        </div>
        <Activity member={member} />
        {mayChange ? (
          <select
            aria-label={text.members.roleOf(member.name)}
            className={`${INPUT} max-md:w-40!`}
            value={setRole.isPending ? setRole.variables : member.role}
            disabled={setRole.isPending}
            onChange={(event) => setRole.mutate(event.target.value as Role)}
          >
            {ROLES.filter((role) => isOwner || role !== 'owner').map((role) => (
              <option key={role} value={role}>
                {text.settings.roles[role]}
              </option>
            ))}
          </select>
        ) : (
          <span className="text-sm">{text.settings.roles[member.role]}</span>
        )}
        {(mayChange || isSelf) && <MemberMenu member={member} isSelf={isSelf} />}
      </div>
      <ErrorNote error={setRole.error} />
    </li>
  )
}

/** Admins also see when a member was here last, and whether a password alone signs the member in. */
function Activity({ member: { joinedAt, lastActiveAt, twoFactorEnabled } }: { member: Member }) {
  return (
    <div className="text-sm text-soft max-md:col-span-2">
      <p>
        {text.members.joined} {formatDay(joinedAt)}
        {twoFactorEnabled !== null && (
          <>
            ,{' '}
            {lastActiveAt ? (
              <>
                {text.members.lastActive} <RelativeTime at={lastActiveAt} />
              </>
            ) : (
              text.members.neverActive
            )}
          </>
        )}
      </p>
      {twoFactorEnabled !== null && (
        <p className={`flex items-center gap-1 ${twoFactorEnabled ? 'text-ok' : ''}`}>
          <Icon name={twoFactorEnabled ? 'shield-check' : 'shield'} />
          {twoFactorEnabled ? text.members.twoFactor : text.members.noTwoFactor}
        </p>
      )}
    </div>
  )
}

function useRoleChange(member: Member, isSelf: boolean) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const patch = async (role: Role) => {
    const params = { path: { userId: member.userId } }
    const saved = await dataOf(api.PATCH('/members/{userId}', { params, body: { role } }))
    await queryClient.invalidateQueries({ queryKey: [workspaceId, 'members'] })
    if (isSelf) await queryClient.invalidateQueries({ queryKey: workspacesQuery.queryKey })
    return saved
  }
  return useMutation({
    // The role before is of the call: the page has read the new one when this succeeds.
    mutationFn: async (role: Role) => ({ before: member.role, saved: await patch(role) }),
    onSuccess: ({ before, saved: { name, role } }) => {
      const undo = () => {
        patch(before).catch((error: Error) => showToast(error.message, { isError: true }))
      }
      // A user who gave up a role cannot take it back.
      showToast(text.members.roleChanged(name, text.settings.roles[role]), {
        undo: isSelf ? null : undo,
      })
    },
  })
}

function MemberMenu({ member, isSelf }: { member: Member; isSelf: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const workspace = useWorkspace()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const remove = async () => {
    const params = { path: { userId: member.userId } }
    await ask(api.DELETE('/members/{userId}', { params }))
    if (!isSelf) {
      showToast(text.members.removed(member.name))
      await queryClient.invalidateQueries({ queryKey: [workspace.id] })
      return
    }
    setWorkspace(null)
    queryClient.removeQueries({ queryKey: [workspace.id] })
    queryClient.removeQueries({ queryKey: sessionQuery.queryKey })
    // Otherwise the start would still choose this workspace.
    queryClient.removeQueries({ queryKey: workspacesQuery.queryKey })
    await navigate({ to: '/' })
  }
  const { leave, leaveTitle, leaveExplain, removeTitle, removeExplain } = text.members
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={text.members.actionsOf(member.name)} />}>
        <MenuItem icon={isSelf ? 'log-out' : 'trash-2'} isDanger onSelect={() => setOpen(true)}>
          {isSelf ? leave : text.members.remove}
        </MenuItem>
      </Menu>
      {isOpen && (
        <Confirm
          title={isSelf ? leaveTitle(workspace.name) : removeTitle(member.name)}
          action={isSelf ? leave : text.members.remove}
          onConfirm={remove}
          onClose={() => setOpen(false)}
        >
          {isSelf ? leaveExplain : removeExplain}
        </Confirm>
      )}
    </>
  )
}
