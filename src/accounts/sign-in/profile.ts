import { bindDeps } from '../../platform/core/bind-deps.ts'
import type { Caller } from '../../platform/routes/caller.ts'
import type { Reply } from '../../platform/routes/route.ts'
import { requireSession } from '../../platform/audit/acting.ts'
import { checkName } from '../../platform/resources/names.ts'
import type { SignInDeps } from './dependencies.ts'
import { changeEmail, confirmChange, showChange } from './email-change.ts'
import { checkPreferences, toPreferences } from './preferences.ts'
import type { Profile as ShownProfile, UpdateUser } from './schema.ts'
import { readUser, refuseDeleted, toUser, USER_NAME_MAX_CHARS, type UserRow } from './users.ts'

export type Profile = ReturnType<typeof createProfile>

/** Changes of name, preferences and address by the user. */
export const createProfile = (deps: SignInDeps) =>
  bindDeps(deps, { update, changeEmail, showChange, confirmChange })

async function update(
  { systemSql, clock }: SignInDeps,
  caller: Caller,
  input: UpdateUser,
): Promise<Reply<ShownProfile>> {
  const session = requireSession(caller)
  if (input.name === undefined && input.preferences === undefined)
    return { data: toProfile(await readUser(systemSql, session)) }
  const name = input.name === undefined ? null : checkName(input.name, 'name', USER_NAME_MAX_CHARS)
  // Merged in the database, so that parallel changes of different fields are both kept.
  const preferences = JSON.stringify(checkPreferences(input.preferences ?? {}))
  const [row] = await systemSql<UserRow[]>`
    update users set name = coalesce(${name}, name), updated_at = ${new Date(clock())},
      preferences = jsonb_strip_nulls(preferences || ${preferences}::text::jsonb)
    where id = ${session.userId} returning *`
  return { data: toProfile(row ?? refuseDeleted()) }
}

function toProfile(row: UserRow): ShownProfile {
  return { ...toUser(row), preferences: toPreferences(row.preferences) }
}
