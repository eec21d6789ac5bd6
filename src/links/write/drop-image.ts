import type { Principal } from '../../platform/routes/principal.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { updateMany } from './update.ts'
import type { LinkDeps } from '../link/dependencies.ts'
import { readDomains } from './domains.ts'
import { imagesOf, leaveOutImages } from './images.ts'
import { lockMany } from '../link/stored.ts'

/**
 * Removes an image from the cards and QR codes of links, each with its history, audit row and event. Skips links that
 * the operator has blocked, since their visitors see neither.
 */
export async function dropImage(
  deps: LinkDeps,
  tx: Tx,
  principal: Principal,
  mediaId: string,
  linkIds: readonly string[],
): Promise<void> {
  const { origin } = deps.shortHost()
  // Domains first, as in every change of links.
  await readDomains(tx, principal, [], linkIds)
  const links = await lockMany(tx, principal, linkIds)
  const changes = [...links.values()].map(({ id, options }) => {
    const others = imagesOf(options ?? {}).filter((image) => image !== mediaId)
    return { id, input: leaveOutImages(options ?? {}, new Set(others), origin) }
  })
  await updateMany(deps, tx, principal, changes)
}
