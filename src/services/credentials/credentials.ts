import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Service } from '../../base/service.ts'
import { hashToken } from '../../base/token.ts'
import { createListener } from '../../storage/listen.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { CREDENTIALS_CHANNEL } from '../credential-changes.ts'
import type { KeyHolder, SessionHolder } from './holders.ts'
import { CredentialCache } from './cache.ts'

export type CredentialsDeps = {
  keys: {
    authenticate(token: string): Promise<KeyHolder | null>
    /** Records the use of a key, at most once a minute, in the background. */
    noteUse(keyId: string, ip: string | null): void
  }
  sessions: {
    /** `membership` is that of the wanted workspace, or else of the session's active workspace. */
    authenticate(token: string, wantedWorkspace: string | null): Promise<SessionHolder | null>
  }
  /** Opens a pool for the listener alone. */
  openListenerSql: () => SystemSql
  clock: Clock
  log: Log
}

/** Returns a cached answer synchronously, and any other as a promise. */
export type Credentials = {
  key(token: string): KeyHolder | null | Promise<KeyHolder | null>
  session(
    token: string,
    wantedWorkspace: string | null,
  ): SessionHolder | null | Promise<SessionHolder | null>
  /** Called for every request with an API key. */
  used(holder: KeyHolder, ip: string | null): void
  /** Receives the changes that void cached answers. */
  readonly service: Service
  stats(): { isConnected: boolean; remembered: number }
}

/** The interval of the listener's own pings, and how long a received one proves the connection. */
const PING_EVERY_MS = 400
const CONNECTED_MS = 1_000

/**
 * Cached credential checks: a credential that was checked within ten seconds takes no statement, and
 * a revoked one is refused within a second on every process. Only hashes of tokens are stored.
 */
export function createCredentials(deps: CredentialsDeps): Credentials {
  const { keys, sessions, clock, log } = deps
  let isListening = false
  let confirmedMs = -Infinity
  const isConnected = () => isListening && performance.now() - confirmedMs < CONNECTED_MS

  const keyCache = new CredentialCache<KeyHolder>({
    load: (token) => keys.authenticate(token),
    isStored: () => true,
    getTags: (holder) => [
      `key:${holder.keyId}`,
      `user:${holder.userId}`,
      `workspace:${holder.workspaceId}`,
    ],
    getExpiresAtMs: (holder) => holder.expiresAt?.getTime() ?? Infinity,
    isConnected,
    clock,
  })
  const sessionCache = new CredentialCache<SessionHolder>({
    load: (token, wantedId) => sessions.authenticate(token, wantedId),
    // A client may send any text as the id of the wanted workspace.
    isStored: ({ membership }, wantedId) =>
      wantedId === null || membership?.workspaceId === wantedId,
    getTags: ({ session, membership }) => [
      `session:${session.id}`,
      `user:${session.userId}`,
      `workspace:${session.workspaceId}`,
      `workspace:${membership?.workspaceId}`,
    ],
    getExpiresAtMs: (holder) => holder.expiresAt.getTime(),
    isConnected,
    clock,
  })

  const service = createListener({
    name: 'credentials-listener',
    channel: CREDENTIALS_CHANNEL,
    openSql: deps.openListenerSql,
    pingEveryMs: PING_EVERY_MS,
    onChange: (payload) => {
      keyCache.drop(payload)
      sessionCache.drop(payload)
    },
    onConnected: () => {
      dropAll()
      isListening = true
    },
    onConfirmed: (askedAtMs) => (confirmedMs = askedAtMs),
    onDisconnected: () => {
      isListening = false
      dropAll()
    },
    log,
  })

  function dropAll(): void {
    keyCache.dropAll()
    sessionCache.dropAll()
  }

  return {
    key: (token) => keyCache.find(digest(token), token, null),
    session: (token, wanted) =>
      sessionCache.find(`${digest(token)} ${wanted ?? ''}`, token, wanted),
    used: (holder, ip) => keys.noteUse(holder.keyId, ip),
    service,
    stats: () => ({
      isConnected: isConnected(),
      remembered: keyCache.size + sessionCache.size,
    }),
  }
}

function digest(token: string): string {
  return hashToken(token).toString('base64')
}
