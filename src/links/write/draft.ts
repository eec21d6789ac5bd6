import type { Clock } from '../../platform/core/clock.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type TenantSql } from '../../platform/storage/postgres/postgres.ts'
import { checkFields, checkStatus } from '../link/fields.ts'
import { readGroups } from './groups.ts'
import { checkPassword } from './password.ts'
import type { LinkRow } from '../link/row.ts'
import type { CreateLink } from '../link/schema.ts'
import type { ShortHost } from '../link/short-host.ts'
import { toNewRow } from '../link/stored.ts'

type Deps = { sql: TenantSql; clock: Clock; shortHost: () => ShortHost }

/** Stands for the hash of a password, which a draft does not need. */
const NOT_HASHED = 'not hashed'

/**
 * The row that a creation would write, as far as that follows from the request: neither the plan nor other links
 * are looked at.
 * @throws ApiError VALIDATION_ERROR with the field's path, FORBIDDEN for a group of another workspace
 */
export async function checkDraft(
  deps: Deps,
  principal: Principal,
  input: CreateLink,
): Promise<LinkRow> {
  const groups = await inWorkspace(deps.sql, principal.workspaceId, (tx) =>
    readGroups(tx, principal, [input]),
  )
  const columns = checkFields(input, deps.shortHost(), null, groups, deps.clock())
  checkStatus(input.status)
  const { password = null } = input
  if (password !== null) checkPassword(password)
  return toNewRow(deps, principal, {
    ...columns,
    passwordHash: password === null ? null : NOT_HASHED,
  })
}
