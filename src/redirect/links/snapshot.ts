import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { crc32 } from 'node:zlib'
import type { Clock } from '../../platform/core/clock.ts'
import type { Log } from '../../platform/core/log.ts'
import type { LinkFacts } from '../../decision/link.ts'

export type SnapshotDeps = {
  file: string
  /** Older entries are ignored, by their last confirmation. */
  maxAgeMs: number
  clock: Clock
  log: Log
  maxBytes?: number
  /** The file belongs to another process: do not write or remove it. */
  isReadOnly?: boolean
  /** Read when this one has nothing recent enough. */
  fallback?: SnapshotReads | null
}

type SnapshotReads = Pick<Snapshot, 'findLink' | 'findDomains' | 'findCertificate'>

/** As in PostgreSQL, with the key sealed. */
export type SealedCertificate = { chain: string; keySealed: Uint8Array }

type Kind = 'link' | 'domain' | 'certificate'
type Stored = { body: string; crc: number; session: number; readAtMs: number }
type Write = () => void

const VERSION = 1
const PAGE_BYTES = 4_096
const MAX_BYTES = 512 * 1024 * 1024
const FLUSH_EVERY_MS = 1_000
const WRITES_PER_TURN = 500
/** How many of the oldest entries to evict at a time. */
const EVICTED = 5_000
const CONFIRM_EVERY_MS = 60_000
/** Entries of earlier sessions count as old as when they were read. */
const KEPT_SESSIONS = 1_000
const SQLITE_FULL = 13

/**
 * What an edge needs to redirect without PostgreSQL, on its own disk: the links it has read, the domains
 * and the sealed certificates. It is written in the background, and read only while PostgreSQL is
 * unavailable.
 *
 * Each entry belongs to a session, a time in which every change was read, and is as old as the last
 * confirmation of its session. So a missed change is served for `maxAgeMs` at most. Entries have a checksum
 * and nothing is synced: a file that a power loss has torn is ignored and started over.
 */
export class Snapshot {
  readonly #deps: SnapshotDeps
  #database: DatabaseSync | null = null
  #statements = new Map<string, StatementSync>()
  #writes: Write[] = []
  #timer: NodeJS.Timeout | null = null
  #session = 0
  #confirmedAtMs = 0
  #storedAtMs = 0

  constructor(deps: SnapshotDeps) {
    this.#deps = deps
    this.#begin()
    if (this.#database === null) this.#begin()
  }

  /** Every change is read from now on; what was kept before may have changed. */
  beginSession(): void {
    const now = this.#deps.clock()
    this.#confirmedAtMs = now
    if (this.#database === null) this.#begin()
    this.#write(() => {
      this.#run('insert into sessions (confirmed_at) values (?)', now)
      this.#session = (this.#get('select max(id) as id from sessions') as { id: number }).id
      this.#run('delete from sessions where id < ?', this.#session - KEPT_SESSIONS)
    })
  }

  /** Every change until now has been read. */
  confirm(): void {
    this.#confirmedAtMs = this.#deps.clock()
    if (this.#confirmedAtMs - this.#storedAtMs >= CONFIRM_EVERY_MS) this.#write(() => {})
  }

  /** @param key `<domain id>\n<slug key>` */
  keepLink(key: string, facts: LinkFacts): void {
    this.#keep('link', key, JSON.stringify(facts), facts.workspaceId)
  }

  /** Null without an entry that is recent enough. */
  findLink(key: string): { facts: LinkFacts; confirmedAtMs: number } | null {
    const found = this.#find('link', key)
    if (found === null) return this.#deps.fallback?.findLink(key) ?? null
    return { facts: found.body as LinkFacts, confirmedAtMs: found.confirmedAtMs }
  }

  forgetLink(key: string): void {
    this.#write(() => this.#run(`delete from entries where kind = 'link' and key = ?`, key))
  }

  /**
   * Drops a link that does not exist. Visitors choose such names, so this is skipped under load.
   */
  missLink(key: string): void {
    if (this.#writes.length < WRITES_PER_TURN) this.forgetLink(key)
  }

  forgetWorkspace(workspaceId: string): void {
    this.#write(() => this.#run('delete from entries where owner = ?', workspaceId))
  }

  /** Replaces all domains. Drop links of changed domains first. */
  keepDomains(domains: ReadonlyMap<string, object>): void {
    this.#write(() => this.#run(`delete from entries where kind = 'domain'`))
    for (const [id, domain] of domains) this.#keep('domain', id, JSON.stringify(domain), '')
  }

  /**
   * Drops a domain with its links, and keeps its new state; null for one that is no longer served.
   */
  changeDomain(id: string, domain: object | null): void {
    this.#write(() => {
      this.#run(`delete from entries where kind = 'domain' and key = ?`, id)
      this.#run(
        `delete from entries where kind = 'link' and key >= ? and key < ?`,
        `${id}\n`,
        `${id}\u000b`,
      )
    })
    if (domain !== null) this.#keep('domain', id, JSON.stringify(domain), '')
  }

  findDomains(): unknown[] {
    const text = `select key, body, crc, session, read_at as readAtMs from entries where kind = 'domain'`
    const rows = this.#read(() => this.#statement(text).all()) ?? []
    const domains = (rows as (Stored & { key: string })[]).flatMap((row) => {
      const found = this.#check('domain', row.key, row)
      return found === null ? [] : [found.body]
    })
    return domains.length > 0 ? domains : (this.#deps.fallback?.findDomains() ?? [])
  }

  keepCertificate(hostname: string, { chain, keySealed }: SealedCertificate): void {
    const body = { chain, keySealed: Buffer.from(keySealed).toString('base64') }
    this.#keep('certificate', hostname, JSON.stringify(body), '')
  }

  findCertificate(hostname: string): SealedCertificate | null {
    const found = this.#find('certificate', hostname)
    if (found === null) return this.#deps.fallback?.findCertificate(hostname) ?? null
    const { chain, keySealed } = found.body as { chain: string; keySealed: string }
    return { chain, keySealed: Buffer.from(keySealed, 'base64') }
  }

  isEmpty(): boolean {
    const found = this.#read(() => this.#get('select 1 from entries limit 1'))
    return found === undefined
  }

  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    this.#flushAll()
    this.#database?.close()
    this.#database = null
  }

  #keep(kind: Kind, key: string, body: string, owner: string): void {
    const now = this.#deps.clock()
    this.#write(() =>
      this.#run(
        'insert or replace into entries (kind, key, owner, session, read_at, crc, body) values (?, ?, ?, ?, ?, ?, ?)',
        ...[kind, key, owner, this.#session, now, checksum(kind, key, body), body],
      ),
    )
  }

  #find(kind: Kind, key: string) {
    const row = this.#read(() =>
      this.#get(
        'select body, crc, session, read_at as readAtMs from entries where kind = ? and key = ?',
        ...[kind, key],
      ),
    )
    return row === undefined ? null : this.#check(kind, key, row as Stored)
  }

  #read<T>(read: () => T): T | undefined {
    this.#flushAll()
    return this.#guard(read)
  }

  #check(kind: Kind, key: string, { body, crc, session, readAtMs }: Stored) {
    if (checksum(kind, key, body) !== crc) {
      this.#deps.log.warn({ kind, key }, 'a damaged entry of the snapshot is ignored')
      return null
    }
    const row = this.#guard(() =>
      this.#get('select confirmed_at as ms from sessions where id = ?', session),
    )
    const confirmedAtMs = Math.max(readAtMs, (row as { ms: number } | undefined)?.ms ?? 0)
    const ageMs = this.#deps.clock() - confirmedAtMs
    return ageMs < this.#deps.maxAgeMs ? { body: JSON.parse(body) as unknown, confirmedAtMs } : null
  }

  #write(write: Write): void {
    if (this.#database === null) return
    this.#writes.push(write)
    this.#timer ??= setTimeout(() => {
      this.#timer = null
      this.#flush()
      if (this.#writes.length > 0) this.#write(() => {})
    }, FLUSH_EVERY_MS).unref()
  }

  #flushAll(): void {
    while (this.#writes.length > 0) this.#flush()
  }

  /**
   * Writes a part of what is pending in one transaction, which blocks the thread for a few milliseconds.
   */
  #flush(): void {
    const writes = this.#writes.splice(0, WRITES_PER_TURN)
    this.#guard(() => {
      try {
        this.#commit(writes)
      } catch (error) {
        if ((error as { errcode?: number }).errcode !== SQLITE_FULL) throw error
        this.#evict()
        this.#commit(writes)
      }
    })
  }

  #commit(writes: readonly Write[]): void {
    this.#run('begin')
    try {
      for (const write of writes) write()
      this.#run(
        'update sessions set confirmed_at = ? where id = ?',
        this.#confirmedAtMs,
        this.#session,
      )
      this.#run('commit')
      this.#storedAtMs = this.#confirmedAtMs
    } catch (error) {
      if (this.#database?.isTransaction) this.#run('rollback')
      throw error
    }
  }

  #evict(): void {
    this.#run(
      `delete from entries where rowid in (select rowid from entries where kind = 'link' order by rowid limit ?)`,
      EVICTED,
    )
  }

  #open(): void {
    const { file, clock, log, maxAgeMs, maxBytes = MAX_BYTES, isReadOnly = false } = this.#deps
    if (isReadOnly) {
      if (existsSync(file)) this.#database = new DatabaseSync(file, { readOnly: true })
      return
    }
    // Destinations and password hashes are for the server's user only.
    writeFileSync(file, '', { flag: 'a', mode: 0o600 })
    const database = (this.#database = new DatabaseSync(file))
    database.exec(
      `pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -512; pragma page_size = ${PAGE_BYTES};
      pragma max_page_count = ${Math.ceil(maxBytes / PAGE_BYTES)}`,
    )
    const { user_version: version } = this.#get('pragma user_version') as { user_version: number }
    if (version !== VERSION)
      database.exec(`
        drop table if exists entries; drop table if exists sessions;
        create table sessions (id integer primary key autoincrement, confirmed_at integer not null);
        create table entries (
          kind text not null, key text not null, owner text not null, session integer not null,
          read_at integer not null, crc integer not null, body text not null, unique (kind, key));
        create index entries_by_owner on entries (owner) where owner <> '';
        pragma user_version = ${VERSION}`)
    const last = this.#get(
      'select id, confirmed_at as confirmedAt from sessions order by id desc limit 1',
    ) as { id: number; confirmedAt: number } | undefined
    this.#session = last?.id ?? 0
    this.#confirmedAtMs = this.#storedAtMs = last?.confirmedAt ?? 0
    if (last && clock() - last.confirmedAt >= maxAgeMs)
      log.warn(
        { confirmedAt: new Date(last.confirmedAt).toISOString() },
        'the snapshot of links is too old and is ignored',
      )
  }

  #begin(): void {
    try {
      this.#open()
    } catch (error) {
      this.#discard(error)
    }
  }

  /** @returns undefined when there is no file, or the work fails */
  #guard<T>(work: () => T): T | undefined {
    if (this.#database === null) return undefined
    try {
      return work()
    } catch (error) {
      this.#discard(error)
      return undefined
    }
  }

  /** Removes this process's damaged file; the next session starts another one. */
  #discard(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'the snapshot of links is damaged and is ignored')
    this.#statements.clear()
    this.#writes = []
    if (this.#database?.isOpen) this.#database.close()
    this.#database = null
    if (this.#deps.isReadOnly) return
    for (const end of ['', '-wal', '-shm']) rmSync(`${this.#deps.file}${end}`, { force: true })
  }

  #statement(text: string): StatementSync {
    const statement = this.#statements.get(text) ?? this.#database!.prepare(text)
    this.#statements.set(text, statement)
    return statement
  }

  #run(text: string, ...values: (string | number)[]): void {
    this.#statement(text).run(...values)
  }

  #get(text: string, ...values: (string | number)[]): unknown {
    return this.#statement(text).get(...values)
  }
}

function checksum(kind: Kind, key: string, body: string): number {
  return crc32(`${kind}\n${key}\n${body}`)
}
