import { api, ask, dataOf } from '../api/client.ts'
import { workspacesQuery } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { ErrorNote } from '../kit/error-note.tsx'
import { INPUT } from '../kit/field.tsx'
import { formatDay } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { useLeaveWorkspace } from '../kit/use-leave-workspace.ts'
import { text } from '../text/members.ts'
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
            value={setRole.isPending ? setRole.variables.to : member.role}
            disabled={setRole.isPending}
            onChange={({ target }) =>
              setRole.mutate({ to: target.value as Role, from: member.role })
            }
          >
            {ROLES.filter((role) => isOwner || role !== 'owner').map((role) => (
              <option key={role} value={role}>
                {text.names.roles[role]}
              </option>
            ))}
          </select>
        ) : (
          <span className="text-sm">{text.names.roles[member.role]}</span>
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

function useRoleChange({ userId }: Member, isSelf: boolean) {
  const { id } = useWorkspace()
  const patch = (role: Role) =>
    dataOf(api.PATCH('/members/{userId}', { params: { path: { userId } }, body: { role } }))
  return useAction((change: { to: Role; from: Role }) => patch(change.to), {
    refreshes: isSelf ? [[id], workspacesQuery.queryKey] : [[id]],
    showsErrors: true,
    told: ({ name, role }) => text.members.roleChanged(name, text.names.roles[role]),
    // A user who gave up a role cannot take it back.
    undo: (_, { from }) => (isSelf ? null : () => patch(from)),
  })
}

function MemberMenu({ member: { userId, name }, isSelf }: { member: Member; isSelf: boolean }) {
  const workspace = useWorkspace()
  const leaveWorkspace = useLeaveWorkspace()
  const remove = () => ask(api.DELETE('/members/{userId}', { params: { path: { userId } } }))
  const { leave, leaveTitle, leaveExplain, removeTitle, removeExplain } = text.members
  return (
    <RowMenu
      label={text.members.actionsOf(name)}
      actions={[
        isSelf
          ? {
              icon: 'log-out',
              label: leave,
              isDanger: true,
              run: () => remove().then(leaveWorkspace),
              question: { title: leaveTitle(workspace.name), explain: leaveExplain },
            }
          : {
              icon: 'trash-2',
              label: text.members.remove,
              isDanger: true,
              run: remove,
              told: text.members.removed(name),
              question: { title: removeTitle(name), explain: removeExplain },
            },
      ]}
    />
  )
}
