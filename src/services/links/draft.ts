import type { Clock } from '../../base/clock.ts'
import type { Who } from '../../base/who.ts'
import { inWorkspace, type TenantSql } from '../../storage/postgres.ts'
import { checkFields, checkStatus } from './fields.ts'
import { readGroups } from './groups.ts'
import { checkPassword } from './password.ts'
import type { LinkRow } from './row.ts'
import type { CreateLink } from './schema.ts'
import type { ShortHost } from './short-host.ts'
import { toNewRow } from './stored.ts'

type Deps = { sql: TenantSql; clock: Clock; shortHost: () => ShortHost }

/** Stands for the hash of a password, which a draft does not need. */
const NOT_HASHED = 'not hashed'

/**
 * The row that a creation would write, as far as that follows from the request: neither the plan nor other links
 * are looked at.
 * @throws ApiError VALIDATION_ERROR with the field's path, FORBIDDEN for a group of another workspace
 */
export async function checkDraft(deps: Deps, who: Who, input: CreateLink): Promise<LinkRow> {
  const groups = await inWorkspace(deps.sql, who.workspaceId, (tx) => readGroups(tx, who, [input]))
  const columns = checkFields(input, deps.shortHost(), null, groups, deps.clock())
  checkStatus(input.status)
  const { password = null } = input
  if (password !== null) checkPassword(password)
  return toNewRow(deps, who, { ...columns, passwordHash: password === null ? null : NOT_HASHED })
}
