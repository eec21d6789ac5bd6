import { ApiError } from '../core/errors.ts'
import type { Principal } from '../routes/principal.ts'
import { countRows, pageMeta } from './lists.ts'
import { clampLimit } from './shapes.ts'
import type { HeavyReads } from '../storage/postgres/heavy-reads.ts'
import type { Fragment, TenantSql, Tx } from '../storage/postgres/postgres.ts'

export async function requireOwn(
  sql: TenantSql,
  principal: Principal,
  table: string,
  id: string | undefined,
  noun: string,
): Promise<void> {
  const [row] = await sql<{ owner: string | null }[]>`
    select workspace_of(${table}::regclass, ${id ?? ''}) as owner`
  if (!row?.owner) throw noSuch(noun)
  if (row.owner !== principal.workspaceId)
    throw new ApiError('FORBIDDEN', `This ${noun} belongs to another workspace.`)
}

type ListDeps = { reads: Pick<HeavyReads, 'read'> }
type Condition = Fragment | '' | false | undefined
type Slice = { limit: number; offset: number }

/**
 * `find`, `load` and `list` of a table whose rows belong to a workspace. A row that was deleted after `find` is
 * NOT_FOUND.
 * @param columns of `Row`
 */
export function ownTable<Row extends object>(table: string, noun: string, columns = '*') {
  return {
    find: ({ sql }: { sql: TenantSql }, principal: Principal, params: Record<string, string>) =>
      requireOwn(sql, principal, table, params['id'], noun),

    async load(
      tx: Tx,
      { workspaceId }: Pick<Principal, 'workspaceId'>,
      id: string,
      lock: 'for update' | '' = '',
    ): Promise<Row> {
      const [row] = await tx<Row[]>`
        select ${tx.unsafe(columns)} from ${tx(table)}
        where id = ${id} and workspace_id = ${workspaceId} ${tx.unsafe(lock)}`
      if (!row) throw noSuch(noun)
      return row
    },

    /** @param order newest first without it */
    async list(
      { reads }: ListDeps,
      principal: Principal,
      query: Slice,
      signal: AbortSignal | undefined,
      toConditions: (tx: Tx) => readonly Condition[] = () => [],
      order: (tx: Tx) => Fragment = (tx) => tx`created_at desc, id desc`,
    ) {
      const slice = { limit: clampLimit(query.limit), offset: query.offset }
      return reads.read(principal, signal, async (tx) => {
        const conditions = toConditions(tx).filter((one): one is Fragment => Boolean(one))
        const matches = conditions.reduce(
          (all, condition) => tx`${all} and ${condition}`,
          tx`${tx(table)} where workspace_id = ${principal.workspaceId}`,
        )
        const isPart = conditions.length > 0
        const [rows, counted] = await Promise.all([
          tx<Row[]>`
            select ${tx.unsafe(columns)} from ${matches}
            order by ${order(tx)} limit ${slice.limit} offset ${slice.offset}`,
          countRows(tx, matches, isPart),
        ])
        return { rows, meta: pageMeta(counted, isPart, slice) }
      })
    },
  }
}

/** The caller holds a lock that other creations wait for, so the count is exact. */
export async function requireRoom(
  tx: Tx,
  { workspaceId }: Principal,
  table: string,
  noun: string,
  max: number,
  advice = 'delete one first',
): Promise<void> {
  const used = await countRows(tx, tx`${tx(table)} where workspace_id = ${workspaceId}`, false)
  if (used < max) return
  const message = `A workspace has at most ${max} ${noun}; ${advice}.`
  throw new ApiError('PLAN_LIMIT_REACHED', message, { limit: table, max, used })
}

export function noSuch(noun: string): ApiError {
  return new ApiError('NOT_FOUND', `This ${noun} does not exist.`)
}

/** An unknown id matches nothing (spec, Authentication 7). */
export async function refuseForeign(
  tx: Tx,
  principal: Principal,
  path: string,
  ...ids: readonly (string | undefined)[]
): Promise<void> {
  const named = ids.filter((id) => id !== undefined)
  if (named.length === 0) return
  const [row] = await tx<{ isForeign: boolean | null }[]>`
    select bool_or(is_foreign(${principal.workspaceId}, id)) as is_foreign
    from unnest(${named}::text[]) as named (id)`
  if (row?.isForeign) throw foreignId(path)
}

export function foreignId(path: string): ApiError {
  const message = `${path} belongs to another workspace.`
  return new ApiError('FORBIDDEN', message, [{ path, message, code: 'foreign' }])
}

export async function readForeign(
  tx: Tx,
  tables: readonly string[],
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const rows = await tx<{ id: string }[]>`
    select id from unnest(${[...ids]}::text[]) as named (id)
    where exists (
      select from unnest(${[...tables]}::text[]) as t (name)
      where workspace_of(t.name::regclass, id) is not null)`
  return new Set(rows.map(({ id }) => id))
}
