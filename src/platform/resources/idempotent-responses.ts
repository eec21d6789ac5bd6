import { bindDeps } from '../core/functions.ts'
import type { Clock } from '../core/clock.ts'
import { ApiError } from '../core/errors.ts'
import { isPage, page } from '../routes/route.ts'
import type { Secrets } from '../core/secrets.ts'
import type { Principal } from '../routes/principal.ts'
import {
  inWorkspace,
  type Fragment,
  type Sql,
  type SystemSql,
  type TenantSql,
  type Tx,
} from '../storage/postgres/postgres.ts'
import type { RateLimiter } from '../limits/rate-limits.ts'
import { inPieces, PIECE_ROWS } from './purge-steps.ts'
import { KEPT_ANSWER } from '../storage/installation/sealed-columns.ts'

type Deps = {
  sql: TenantSql
  systemSql: SystemSql
  secrets: Secrets
  clock: Clock
  keys: Pick<RateLimiter, 'consume'>
}

type IdempotentResponse = {
  fingerprint: string
  data?: unknown
  meta?: Record<string, unknown>
}

export type KeyOwner = Pick<Principal, 'workspaceId'> | { userId: string }

/**
 * A rule of a route with `idempotent: true` calls it last in its transaction: the response exists exactly when the
 * write does, and of parallel requests with one key only one is committed.
 * @throws ApiError CONFLICT when another request with this key was committed first; the transaction must not commit
 */
export type SaveIdempotentResponse = <T>(tx: Tx, principal: Principal, answer: T) => Promise<T>

const KEPT_MS = 24 * 3_600_000
const BYTES_OF_KEY = 4_096
const { purpose, boundTo } = KEPT_ANSWER

export const createIdempotentResponses = (deps: Deps) => ({
  ...bindDeps(deps, { find, requireRoom, countSize, deleteExpired }),
  keep: createKeepAnswer(deps),
})

async function find(
  { sql, systemSql, secrets, clock }: Deps,
  owner: KeyOwner,
  id: string,
): Promise<{ fingerprint: string; answer: unknown } | null> {
  const select = (db: Sql | Tx, isOwned: Fragment) => db<{ answerSealed: Buffer }[]>`
    select answer_sealed from idempotency_keys
    where id = ${id} and ${isOwned} and created_at > ${expiredAt(clock)}`
  const [row] = await ('workspaceId' in owner
    ? inWorkspace(sql, owner.workspaceId, (tx) =>
        select(tx, tx`workspace_id = ${owner.workspaceId}`),
      )
    : // The row belongs to the workspace that the request created or joined.
      select(systemSql, systemSql`true`))
  if (!row) return null
  const { fingerprint, data, meta } = JSON.parse(
    secrets.open(purpose, boundTo(id), row.answerSealed),
  ) as IdempotentResponse
  return { fingerprint, answer: meta ? page(data, meta) : data }
}

async function requireRoom({ keys }: Deps, owner: KeyOwner): Promise<void> {
  await keys.consume(toKey(owner))
}

/** A large response counts as several keys, which bounds the stored bytes too. */
async function countSize({ keys }: Deps, owner: KeyOwner, answer: unknown): Promise<void> {
  const bytes = Buffer.byteLength(JSON.stringify(answer) ?? '')
  const more = Math.floor(bytes / BYTES_OF_KEY)
  // This response is stored already; the next new key is refused instead.
  if (more > 0) await keys.consume(toKey(owner), more).catch(() => {})
}

function createKeepAnswer({ secrets, clock }: Deps): SaveIdempotentResponse {
  return async <T>(tx: Tx, { workspaceId, idempotencyKey }: Principal, answer: T): Promise<T> => {
    if (!idempotencyKey) return answer
    const { id, fingerprint } = idempotencyKey
    const kept: IdempotentResponse = isPage(answer)
      ? { fingerprint, data: answer.data, meta: answer.meta }
      : { fingerprint, data: answer }
    const sealed = secrets.seal(purpose, boundTo(id), JSON.stringify(kept))
    // Waits for a parallel request with this key, and inserts nothing if that one is committed.
    const { count } = await tx`
      insert into idempotency_keys as k (id, workspace_id, answer_sealed, created_at)
      values (${id}, ${workspaceId}, ${sealed}, ${new Date(clock())})
      on conflict (id) do update
        set answer_sealed = excluded.answer_sealed, created_at = excluded.created_at
        where k.created_at <= ${expiredAt(clock)}`
    if (count > 0) return answer
    throw new ApiError(
      'CONFLICT',
      'Another request with this Idempotency-Key was answered while this one was under way. Send it again to get that answer.',
      { reason: 'request_under_way' },
    )
  }
}

function toKey(owner: KeyOwner): string {
  return 'workspaceId' in owner ? owner.workspaceId : owner.userId
}

async function deleteExpired({ systemSql, clock }: Deps, signal: AbortSignal): Promise<void> {
  const before = expiredAt(clock)
  await inPieces(
    signal,
    () => systemSql`
      delete from idempotency_keys where id in (
        select id from idempotency_keys where created_at <= ${before} limit ${PIECE_ROWS})`,
  )
}

function expiredAt(clock: Clock): Date {
  return new Date(clock() - KEPT_MS)
}
