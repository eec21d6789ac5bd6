import { hashToken } from '../../platform/core/secrets.ts'
import type { Notices } from '../../platform/storage/postgres/notices.ts'
import type { KeyAuthentication, KeyHolder } from '../api-keys/authentication.ts'
import type { SessionHolder, Sessions } from '../sign-in/sessions.ts'
import { CREDENTIALS_CHANNEL, CredentialCache } from './cache.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { MemberActivity } from '../members/activity.ts'

type Deps = Pick<Dependencies, 'clock'> & {
  keys: Pick<KeyAuthentication, 'authenticate' | 'noteUse'>
  sessions: Pick<Sessions, 'authenticate'>
  noteActivity: MemberActivity
  notices: Notices
}

export type Credentials = ReturnType<typeof createCredentials>

/** How long a ping of the listener proves its connection. */
const CONNECTED_MS = 1_000

/**
 * A credential that was checked within ten seconds takes no statement; a revoked one is refused within a second.
 */
export function createCredentials(deps: Deps) {
  const { keys, sessions, noteActivity, notices, clock } = deps
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
    // A client may send any text as the wanted workspace.
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

  notices.subscribe(CREDENTIALS_CHANNEL, {
    onNotice: (payload) => {
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
  })

  function dropAll(): void {
    keyCache.dropAll()
    sessionCache.dropAll()
  }

  return {
    key: (token: string) => keyCache.find(digest(token), token, null),
    session: (token: string, wanted: string | null) =>
      sessionCache.find(`${digest(token)} ${wanted ?? ''}`, token, wanted),
    used: (holder: KeyHolder, ip: string | null) => keys.noteUse(holder.keyId, ip),
    sessionUsed: ({ session, membership }: SessionHolder) => {
      if (membership) noteActivity(membership.workspaceId, session.userId)
    },
    forgetSession: (id: string) => sessionCache.drop(`session:${id}`),
    stats: () => ({
      isConnected: isConnected(),
      remembered: keyCache.size + sessionCache.size,
    }),
  }
}

function digest(token: string): string {
  return hashToken(token).toString('base64')
}
