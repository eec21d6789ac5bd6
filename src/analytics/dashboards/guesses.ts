import { hash } from 'node:crypto'
import type { Caller, Cookie } from '../../platform/routes/caller.ts'
import { ApiError } from '../../platform/core/errors.ts'
import { FairQueue } from '../../platform/work/fair-queue.ts'
import { PLACES } from '../../platform/limits/places.ts'
import { createOpaque } from '../../platform/core/opaque.ts'
import {
  createLinkPasswordHashing,
  LINK_PASSWORD_MAX_BYTES,
} from '../../platform/work/password-hashing.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { Visited } from './visited.ts'

type Deps = Pick<Dependencies, 'secrets' | 'limiter' | 'clock'>

type Locked = Pick<Visited, 'id' | 'workspaceId'> & { passwordHash: string }
/** `passwordId` voids the proof when the password changes. */
type Proof = { id: string; passwordId: string; untilMs: number }

const COOKIE = 'signpost_dashboard'
/** The name on https, where the gateway adds the prefix of cookies that belong to one path. */
const SECURE_COOKIE = `__Secure-${COOKIE}`
const LIFE_SECONDS = 12 * 3_600

/**
 * Checks the passwords of dashboards. An attempt counts before its password is compared, so that a limited visitor
 * cannot learn whether a password is right; a right one gives its attempt back.
 */
export function createDashboardPasswords({ secrets, limiter, clock }: Deps) {
  const proofs = createOpaque<Proof>(secrets, 'dashboard-proof-1')
  const hashing = createLinkPasswordHashing(secrets, 'guesses')
  const ofNetwork = limiter('dashboard-password-network')
  const ofDashboard = limiter('dashboard-password')
  const queue = new FairQueue(PLACES.dashboardPasswords)

  function hasProof(locked: Locked, { cookies }: Pick<Caller, 'cookies'>): boolean {
    const text = cookies[SECURE_COOKIE] ?? cookies[COOKIE]
    if (text === undefined) return false
    try {
      const { id, passwordId, untilMs } = proofs.open(locked.workspaceId, text, COOKIE)
      return id === locked.id && passwordId === toPasswordId(locked) && untilMs > clock()
    } catch {
      return false
    }
  }

  /** The cookie of a browser that has given the password, for one path. */
  function toCookie(locked: Locked, path: string): Cookie {
    const untilMs = clock() + LIFE_SECONDS * 1_000
    const proof = { id: locked.id, passwordId: toPasswordId(locked), untilMs }
    const value = proofs.seal(locked.workspaceId, proof)
    return { name: COOKIE, value, path, maxAgeSeconds: LIFE_SECONDS }
  }

  /**
   * @throws ApiError PASSWORD_REQUIRED for a wrong password; RATE_LIMITED beyond the limits, right or wrong
   */
  async function check(locked: Locked, network: string, password: string): Promise<void> {
    const networkKey = `${locked.id}:${network}`
    const takenOfNetwork = await ofNetwork.consume(networkKey)
    const takenOfDashboard = await ofDashboard.consume(locked.id)
    // No dashboard has a longer password.
    if (Buffer.byteLength(password) > LINK_PASSWORD_MAX_BYTES) throw passwordRequired('wrong')
    let isWrong = false
    try {
      isWrong = !(await queue.run([`workspace:${locked.workspaceId}`, network], undefined, () =>
        hashing.verify(locked.passwordHash, password),
      ))
    } finally {
      // An attempt whose comparison failed is given back too.
      if (!isWrong) {
        await ofNetwork.giveBack(networkKey, takenOfNetwork)
        await ofDashboard.giveBack(locked.id, takenOfDashboard)
      }
    }
    if (isWrong) throw passwordRequired('wrong')
  }

  return { hasProof, toCookie, check }
}

export function passwordRequired(reason: 'missing' | 'wrong'): ApiError {
  const message = reason === 'wrong' ? 'The password is wrong.' : 'This dashboard needs a password.'
  return new ApiError('PASSWORD_REQUIRED', message, { reason })
}

/** The hash has a salt of its own, so that the same password set again has another id. */
function toPasswordId({ passwordHash }: Locked): string {
  return hash('sha256', passwordHash, 'base64url').slice(0, 16)
}
