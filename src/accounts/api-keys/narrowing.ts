import { ApiError, type ErrorDetail } from '../../platform/core/errors.ts'
import { scopeCovers } from '../../platform/routes/principal.ts'
import { isRangeWithin } from './addresses.ts'
import type { KeyRow } from './row.ts'

type Rights = Pick<KeyRow, 'scopes' | 'ipAllowlist' | 'expiresAt'>

/** Each is true when the new value allows only requests that the old one allowed. */
const IS_NARROWER: { [Field in keyof Rights]: (before: Rights, after: Rights) => boolean } = {
  scopes: (before, after) =>
    after.scopes === null
      ? scopeCovers(before.scopes, '*')
      : after.scopes.every((scope) => scopeCovers(before.scopes, scope)),
  ipAllowlist: (before, after) =>
    before.ipAllowlist.length === 0 ||
    (after.ipAllowlist.length > 0 &&
      after.ipAllowlist.every((range) =>
        before.ipAllowlist.some((outer) => isRangeWithin(range, outer)),
      )),
  expiresAt: (before, after) =>
    before.expiresAt === null ||
    (after.expiresAt !== null && after.expiresAt.getTime() <= before.expiresAt.getTime()),
}

/**
 * A key acts with the rights of its user, so other users may only narrow it: every scope covered by an
 * old scope, every range within an old range, no later expiry. Its name may change freely.
 * @throws ApiError FORBIDDEN with a detail for each field that would be wider
 */
export function refuseWider(before: KeyRow, changed: Partial<KeyRow>): void {
  const after = { ...before, ...changed }
  const fields = Object.keys(IS_NARROWER) as (keyof Rights)[]
  const wider = fields.filter((field) => !IS_NARROWER[field](before, after))
  if (wider.length === 0) return
  throw new ApiError(
    'FORBIDDEN',
    'Only the user to whom an API key belongs may widen it; you may narrow or delete it.',
    wider.map((path): ErrorDetail => ({ path, message: `${path} would be wider.`, code: 'wider' })),
  )
}
