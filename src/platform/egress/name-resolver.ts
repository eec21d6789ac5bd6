import { Resolver } from 'node:dns/promises'
import { dropOldest } from '../core/functions.ts'
import { withinMs } from '../core/service.ts'

export type ResolvedAddress = { address: string; family: 4 | 6 }

export type NameResolver = ReturnType<typeof createNameResolver>

type Entry = {
  validUntilMs: number
  addresses: readonly ResolvedAddress[]
  error: NameError | null
}
type Options = {
  dnsServers?: readonly string[]
  now?: (() => number) | undefined
  maxCachedNames?: number
}
type Answers = { addresses: ResolvedAddress[]; ttlSeconds: number }

const QUERY_TIMEOUT_MS = 2_000
const TRIES = 2
const MIN_TTL_SECONDS = 5
const MAX_TTL_SECONDS = 60
const NEGATIVE_TTL_SECONDS = 5
const MAX_CACHED_NAMES = 10_000
/** How long to wait for the slower address family (RFC 8305, 3, is stricter). */
const OTHER_FAMILY_WAIT_MS = 250
/** Per family. The cache must stay small when all names are hostile. */
const MAX_ADDRESSES = 64

export class NameError extends Error {
  override name = 'NameError'
  readonly code: string

  constructor(name: string, code: string) {
    super(`${name} could not be resolved (${code}).`)
    this.code = code
  }
}

/** Uses c-ares, since `dns.lookup` occupies one of libuv's four threads: four unresponsive names would stall all others. */
export function createNameResolver({
  dnsServers = [],
  now = () => performance.now(),
  maxCachedNames = MAX_CACHED_NAMES,
}: Options = {}) {
  const resolver = openResolver(dnsServers, QUERY_TIMEOUT_MS)
  const cache = new Map<string, Entry>()
  const queries = new Map<string, Promise<Entry>>()

  async function resolveNow(name: string): Promise<Entry> {
    try {
      const { addresses, ttlSeconds } = await bothFamilies(resolver, name)
      return keep(name, {
        validUntilMs: now() + clampedTtl(ttlSeconds) * 1_000,
        addresses,
        error: null,
      })
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'EUNKNOWN'
      const validUntilMs = now() + NEGATIVE_TTL_SECONDS * 1_000
      return keep(name, { validUntilMs, addresses: [], error: new NameError(name, code) })
    } finally {
      queries.delete(name)
    }
  }

  function keep(name: string, entry: Entry): Entry {
    cache.delete(name)
    cache.set(name, entry)
    dropOldest(cache, maxCachedNames)
    return entry
  }

  async function resolve(name: string): Promise<readonly ResolvedAddress[]> {
    const key = name.toLowerCase()
    let entry = cache.get(key)
    if (entry === undefined || entry.validUntilMs <= now()) {
      let query = queries.get(key)
      if (query === undefined) queries.set(key, (query = resolveNow(key)))
      entry = await query
    }
    if (entry.error !== null) throw entry.error
    return entry.addresses
  }

  return { resolve, cachedNames: () => cache.size }
}

/** @param dnsServers such as `127.0.0.1:5353` or `[::1]:53`; empty for the machine's */
export function openResolver(dnsServers: readonly string[], timeoutMs: number): Resolver {
  const resolver = new Resolver({ timeout: timeoutMs, tries: TRIES, maxTimeout: timeoutMs })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  return resolver
}

/** Joins both families, but leaves out a family that fails or is slow when the other has addresses. */
async function bothFamilies(resolver: Resolver, name: string): Promise<Answers> {
  const queries = [
    resolver.resolve4(name, { ttl: true }).then((records) => answers(records, 4)),
    resolver.resolve6(name, { ttl: true }).then((records) => answers(records, 6)),
  ]
  const settled: Answers[] = []
  for (const query of queries) query.then((found) => settled.push(found)).catch(() => {})
  try {
    await Promise.any(queries)
  } catch (error) {
    throw (error as AggregateError).errors[0]
  }
  await withinMs(Promise.allSettled(queries), OTHER_FAMILY_WAIT_MS).catch(() => {})
  return {
    addresses: settled.flatMap((found) => found.addresses),
    ttlSeconds: Math.min(...settled.map((found) => found.ttlSeconds)),
  }
}

function answers(records: { address: string; ttl: number }[], family: 4 | 6): Answers {
  if (records.length === 0) throw Object.assign(new Error('No address.'), { code: 'ENODATA' })
  if (records.length > MAX_ADDRESSES)
    throw Object.assign(new Error('Too many addresses.'), { code: 'EBADRESP' })
  return {
    addresses: records.map(({ address }) => ({ address, family })),
    ttlSeconds: Math.min(...records.map(({ ttl }) => ttl)),
  }
}

function clampedTtl(seconds: number): number {
  return Math.min(Math.max(seconds, MIN_TTL_SECONDS), MAX_TTL_SECONDS)
}
