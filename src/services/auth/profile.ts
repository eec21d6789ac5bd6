import { bindDeps } from '../../base/bind-deps.ts'
import type { Caller } from '../../base/caller.ts'
import type { Reply } from '../../base/route.ts'
import { requireSession } from '../acting.ts'
import { checkName } from '../names.ts'
import { changeEmail, confirmChange, showChange, type EmailChangeDeps } from './email-change.ts'
import type { UpdateUser, User } from './schema.ts'
import { readUser, refuseDeleted, toUser, USER_NAME_MAX_CHARS, type UserRow } from './users.ts'

export type Profile = ReturnType<typeof createProfile>

/** Changes of name and address by the user. */
export const createProfile = (deps: EmailChangeDeps) =>
  bindDeps(deps, { update, changeEmail, showChange, confirmChange })

async function update(
  { systemSql, clock }: EmailChangeDeps,
  caller: Caller,
  input: UpdateUser,
): Promise<Reply<User>> {
  const session = requireSession(caller)
  if (input.name === undefined) return { data: toUser(await readUser(systemSql, session)) }
  const name = checkName(input.name, 'name', USER_NAME_MAX_CHARS)
  const [row] = await systemSql<UserRow[]>`
    update users set name = ${name}, updated_at = ${new Date(clock())}
    where id = ${session.userId} returning *`
  return { data: toUser(row ?? refuseDeleted()) }
}
