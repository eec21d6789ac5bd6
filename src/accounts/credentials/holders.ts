import type * as Callers from '../../platform/routes/caller.ts'

/** A valid API key. Its role is the present role of its owner, so that a key never outranks them. */
export type KeyHolder = Callers.KeyHolder & { expiresAt: Date | null; lastUsedAt: Date | null }

/** A valid session. `expiresAt` is its end unless it is used again. */
export type SessionHolder = Callers.SessionHolder & { expiresAt: Date }
