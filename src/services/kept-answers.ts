import { bindDeps } from '../base/bind-deps.ts'
import type { Clock } from '../base/clock.ts'
import { ApiError } from '../base/errors.ts'
import type { Secrets } from '../base/secrets.ts'
import type { Who } from '../base/who.ts'
import { inWorkspace, type SystemSql, type TenantSql, type Tx } from '../storage/postgres.ts'
import type { RateLimiter } from '../storage/rate-limits.ts'
import { KEPT_ANSWER } from '../storage/sealed-columns.ts'

type Deps = {
  sql: TenantSql
  systemSql: SystemSql
  secrets: Secrets
  clock: Clock
  /** Bounds the keys of a workspace in 24 hours. */
  keys: Pick<RateLimiter, 'consume'>
}

/** An answer as it is sealed. */
type KeptAnswer = {
  /** Of the request that was answered. */
  fingerprint: string
  /** The `data` of the answer; absent for a 204. */
  data?: unknown
}

/**
 * Keeps the answer of a request that has an `Idempotency-Key`, and does nothing for any other request. A rule of a
 * route with `idempotent: true` calls it as the last statement of its transaction: then the answer
 * exists exactly when the write does, and of parallel requests with one key a single one is committed.
 * @param answer what the rule returns
 * @throws ApiError CONFLICT when another request with this key was committed first; the transaction must not commit
 */
export type KeepAnswer = (tx: Tx, who: Who, answer: unknown) => Promise<void>

const KEPT_MS = 24 * 3_600_000
/** Rows are deleted in pieces, so that no lock is held for long. */
const PIECE_ROWS = 5_000
const { purpose, boundTo } = KEPT_ANSWER

/** Answers by their `Idempotency-Key`, for 24 hours. */
export const createKeptAnswers = (deps: Deps) =>
  bindDeps(deps, { find, requireRoom, keep, deleteExpired })

/**
 * @param id of the key in the workspace of `who`
 * @returns null when no request with this key has succeeded in 24 hours
 * @throws ApiError SECRET_KEY_CHANGED
 */
async function find(
  { sql, secrets, clock }: Deps,
  who: Who,
  id: string,
): Promise<KeptAnswer | null> {
  const [row] = await inWorkspace(
    sql,
    who.workspaceId,
    (tx) => tx<{ answerSealed: Buffer }[]>`
      select answer_sealed from idempotency_keys
      where id = ${id} and workspace_id = ${who.workspaceId} and created_at > ${expiredAt(clock)}`,
  )
  return row
    ? (JSON.parse(secrets.open(purpose, boundTo(id), row.answerSealed)) as KeptAnswer)
    : null
}

/** @throws ApiError RATE_LIMITED when the workspace has used too many keys */
async function requireRoom({ keys }: Deps, who: Who): Promise<void> {
  await keys.consume(who.workspaceId)
}

async function keep({ secrets, clock }: Deps, tx: Tx, who: Who, data: unknown): Promise<void> {
  if (!who.idempotencyKey) return
  const { id, fingerprint } = who.idempotencyKey
  const answer: KeptAnswer = { fingerprint, data }
  const sealed = secrets.seal(purpose, boundTo(id), JSON.stringify(answer))
  // Waits for a parallel request with this key, and finds its row if it was committed.
  const [kept] = await tx`
    insert into idempotency_keys as k (id, workspace_id, answer_sealed, created_at)
    values (${id}, ${who.workspaceId}, ${sealed}, ${new Date(clock())})
    on conflict (id) do update
      set answer_sealed = excluded.answer_sealed, created_at = excluded.created_at
      where k.created_at <= ${expiredAt(clock)}
    returning 1`
  if (kept) return
  throw new ApiError(
    'CONFLICT',
    'Another request with this Idempotency-Key was answered while this one was under way. Send it again to get that answer.',
    { reason: 'request_under_way' },
  )
}

/** Deletes what no request can get any more; a later run continues. */
async function deleteExpired({ systemSql, clock }: Deps, signal?: AbortSignal): Promise<void> {
  const before = expiredAt(clock)
  let deleted = PIECE_ROWS
  while (deleted === PIECE_ROWS && !signal?.aborted) {
    const piece = await systemSql`
      delete from idempotency_keys where id in (
        select id from idempotency_keys where created_at <= ${before} limit ${PIECE_ROWS})`
    deleted = piece.count
  }
}

function expiredAt(clock: Clock): Date {
  return new Date(clock() - KEPT_MS)
}
