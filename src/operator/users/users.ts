import { bindDeps } from '../../platform/core/functions.ts'
import { page } from '../../platform/routes/route.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import { noSuch } from '../../platform/resources/ownership.ts'
import { clampLimit, toIsoTimes } from '../../platform/resources/shapes.ts'
import type { Fragment, SystemSql } from '../../platform/storage/postgres/postgres.ts'
import type { ListServerUsers, ServerUser, ServerUserDetail } from './schema.ts'

type Deps = Pick<Dependencies, 'systemSql'>

type Row = Omit<ServerUser, 'lastSignInAt' | 'createdAt'> & {
  lastSignInAt: Date | null
  createdAt: Date
}

const MAX_MEMBERSHIPS = 100

export type ServerUsers = ReturnType<typeof createServerUsers>

/** For operators: the users of all workspaces. */
export const createServerUsers = (deps: Deps) => bindDeps(deps, { list, get })

async function list({ systemSql }: Deps, query: ListServerUsers) {
  const text = (query.search ?? '').trim().toLowerCase()
  const limit = clampLimit(query.limit)
  const { offset } = query
  const isMatch = systemSql`(
    ${text}::text = '' or position(${text}::text in u.email_key) > 0
    or position(${text}::text in lower(u.name)) > 0 or lower(u.id) = ${text})`
  const [rows, [counted]] = await Promise.all([
    select(systemSql, isMatch, { limit, offset }),
    systemSql<[{ total: number }]>`select count(*) as total from users u where ${isMatch}`,
  ])
  return page(rows.map(toIsoTimes), { total: counted.total, limit, offset })
}

async function get({ systemSql }: Deps, id: string): Promise<ServerUserDetail> {
  const [row] = await select(systemSql, systemSql`u.id = ${id}`, { limit: 1, offset: 0 })
  if (!row) throw noSuch('user')
  const memberships = await systemSql<ServerUserDetail['memberships']>`
    select m.workspace_id, w.name, m.role from members m join workspaces w on w.id = m.workspace_id
    where m.user_id = ${id} order by m.created_at, m.workspace_id limit ${MAX_MEMBERSHIPS}`
  return { ...toIsoTimes(row), memberships: [...memberships] }
}

function select(sql: SystemSql, isMatch: Fragment, slice: { limit: number; offset: number }) {
  return sql<Row[]>`
    select u.id, u.name, u.email, u.email_verified_at is not null as email_verified, u.is_operator,
      exists (select from two_factor f where f.user_id = u.id and f.confirmed_at is not null)
        as two_factor_enabled,
      (select s.created_at from security_log s
        where s.user_id = u.id and s.type = 'sign_in.succeeded'
        order by s.created_at desc, s.id desc limit 1) as last_sign_in_at,
      (select count(*) from members m where m.user_id = u.id) as workspaces, u.created_at
    from users u where ${isMatch}
    order by u.created_at desc, u.id desc limit ${slice.limit} offset ${slice.offset}`
}
