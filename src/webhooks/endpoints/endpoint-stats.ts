import type { Principal } from '../../platform/routes/principal.ts'
import { RESPONSE_BOUNDS_MS } from '../delivery/queue/counts.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import type { EndpointStats } from './count-shapes.ts'
import type { Endpoint } from './schema.ts'
import { HOUR_MS } from '../../platform/core/clock.ts'

type Count = {
  endpointId: string
  hour: Date
  isSuccess: boolean
  bucket: number | null
  n: number
}
type Health = Pick<Endpoint, 'id' | 'failureCount' | 'lastFailureAt' | 'lastSuccessAt'>

const HOURS = 24
const MAX_RESPONSE_MS = 10_000

/** From the workers' counts: a few hundred rows per endpoint, however many deliveries there were. */
export async function readEndpointStats(
  tx: Tx,
  { workspaceId }: Principal,
  endpoints: readonly Health[],
  nowMs: number,
): Promise<EndpointStats[]> {
  const fromMs = Math.floor(nowMs / HOUR_MS) * HOUR_MS - (HOURS - 1) * HOUR_MS
  const counts = await tx<Count[]>`
    select endpoint_id, hour, is_success, bucket, sum(n)::bigint as n from webhook_attempt_counts
    where workspace_id = ${workspaceId} and hour >= ${new Date(fromMs)}
      and endpoint_id = any(${endpoints.map(({ id }) => id)}::text[])
    group by 1, 2, 3, 4`
  const byEndpoint = Map.groupBy(counts, ({ endpointId }) => endpointId)
  return endpoints.map((endpoint) => toStats(endpoint, byEndpoint.get(endpoint.id) ?? [], fromMs))
}

function toStats(
  { failureCount, lastFailureAt, lastSuccessAt }: Health,
  counts: readonly Count[],
  fromMs: number,
): EndpointStats {
  const hours = Array.from({ length: HOURS }, (_, i) => ({
    start: new Date(fromMs + i * HOUR_MS).toISOString(),
    delivered: 0,
    failed: 0,
  }))
  const buckets = Array.from({ length: RESPONSE_BOUNDS_MS.length + 1 }, () => 0)
  for (const { hour, isSuccess, bucket, n } of counts) {
    const entry = hours[(hour.getTime() - fromMs) / HOUR_MS]
    if (entry) entry[isSuccess ? 'delivered' : 'failed'] += n
    if (bucket !== null) buckets[bucket]! += n
  }
  const sum = (field: 'delivered' | 'failed') =>
    hours.reduce((total, entry) => total + entry[field], 0)
  return {
    from: hours[0]!.start,
    to: new Date(fromMs + HOURS * HOUR_MS).toISOString(),
    delivered: sum('delivered'),
    failed: sum('failed'),
    p50Ms: quantile(buckets, 0.5),
    p99Ms: quantile(buckets, 0.99),
    failureCount,
    lastFailureAt,
    lastSuccessAt,
    hours,
  }
}

/** Interpolates as if times were spread evenly within a bucket. */
function quantile(buckets: readonly number[], share: number): number | null {
  const total = buckets.reduce((sum, n) => sum + n, 0)
  if (total === 0) return null
  let rank = share * total
  for (const [i, n] of buckets.entries()) {
    const [low, high] = [RESPONSE_BOUNDS_MS[i - 1] ?? 0, RESPONSE_BOUNDS_MS[i] ?? MAX_RESPONSE_MS]
    if (n > 0 && rank <= n) return Math.round(low + (high - low) * (rank / n))
    rank -= n
  }
  return MAX_RESPONSE_MS
}
