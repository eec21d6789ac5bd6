import { hash } from 'node:crypto'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { Service } from '../../base/service.ts'
import { createListener } from '../../storage/listen.ts'
import type { SystemSql } from '../../storage/postgres.ts'
import { CREDENTIALS_CHANNEL } from '../credential-changes.ts'
import type { KeyHolder, SessionHolder } from './holders.ts'
import { createMemory } from './cache.ts'

export type CredentialsDeps = {
  keys: {
    authenticate(token: string): Promise<KeyHolder | null>
    /** Notes the use of a key, at most once a minute; not waited for. */
    noteUse(keyId: string, ip: string | null): void
  }
  sessions: {
    /** `membership` is that of the wanted workspace, of the session's own when none is wanted. */
    authenticate(token: string, wantedWorkspace: string | null): Promise<SessionHolder | null>
  }
  /** Opens a pool for the listener alone. */
  openListenerSql: () => SystemSql
  clock: Clock
  log: Log
}

/** What is remembered is there at once, everything else later. */
export type Credentials = {
  key(token: string): KeyHolder | null | Promise<KeyHolder | null>
  session(
    token: string,
    wantedWorkspace: string | null,
  ): SessionHolder | null | Promise<SessionHolder | null>
  /** Said of every request that a key has made. */
  used(holder: KeyHolder, ip: string | null): void
  /** Hears what has become void. */
  readonly service: Service
  stats(): { isConnected: boolean; remembered: number }
}

/** So often the listener proves that it hears, and for so long after that it is believed. */
const PING_EVERY_MS = 400
const BELIEVED_MS = 1_000

/**
 * The checks of credentials, remembered: no statement for a credential that was checked within ten
 * seconds, and none that was revoked is good for longer than one second, on any process. Tokens are
 * kept as SHA-256 only.
 */
export function createCredentials(deps: CredentialsDeps): Credentials {
  const { keys, sessions, clock, log } = deps
  let isListening = false
  let heardMs = -Infinity
  const isConnected = () => isListening && performance.now() - heardMs < BELIEVED_MS

  const rememberedKeys = createMemory<KeyHolder>({
    load: (token) => keys.authenticate(token),
    isKept: () => true,
    tagsOf: (holder) => [
      `key:${holder.keyId}`,
      `user:${holder.userId}`,
      `workspace:${holder.workspaceId}`,
    ],
    expiresAtMsOf: (holder) => holder.expiresAt?.getTime() ?? Infinity,
    isConnected,
    clock,
  })
  const rememberedSessions = createMemory<SessionHolder>({
    load: (token, place) => sessions.authenticate(token, place),
    // What was asked for may be any text.
    isKept: ({ membership }, place) => place === null || membership?.workspaceId === place,
    tagsOf: ({ session, membership }) => [
      `session:${session.id}`,
      `user:${session.userId}`,
      `workspace:${session.workspaceId}`,
      `workspace:${membership?.workspaceId}`,
    ],
    expiresAtMsOf: (holder) => holder.expiresAt.getTime(),
    isConnected,
    clock,
  })

  const service = createListener({
    name: 'credentials-listener',
    channel: CREDENTIALS_CHANNEL,
    openSql: deps.openListenerSql,
    pingEveryMs: PING_EVERY_MS,
    onChange: (payload) => {
      rememberedKeys.drop(payload)
      rememberedSessions.drop(payload)
    },
    onConnected: () => {
      dropAll()
      isListening = true
    },
    onConfirmed: (askedAtMs) => (heardMs = askedAtMs),
    onDisconnected: () => {
      isListening = false
      dropAll()
    },
    log,
  })

  function dropAll(): void {
    rememberedKeys.dropAll()
    rememberedSessions.dropAll()
  }

  return {
    key: (token) => rememberedKeys.find(digest(token), token, null),
    session: (token, wanted) =>
      rememberedSessions.find(`${digest(token)} ${wanted ?? ''}`, token, wanted),
    used: (holder, ip) => keys.noteUse(holder.keyId, ip),
    service,
    stats: () => ({
      isConnected: isConnected(),
      remembered: rememberedKeys.size() + rememberedSessions.size(),
    }),
  }
}

function digest(token: string): string {
  return hash('sha256', token, 'base64')
}
