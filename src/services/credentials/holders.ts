import type * as Principal from '../../base/caller.ts'

/** A valid API key. Its role is the present role of its owner, so that a key never outranks them. */
export type KeyHolder = Principal.KeyHolder & { expiresAt: Date | null; lastUsedAt: Date | null }

/** A valid session. `expiresAt` is its end unless it is used again. */
export type SessionHolder = Principal.SessionHolder & { expiresAt: Date }
