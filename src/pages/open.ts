import type { Route } from '../platform/routes/route.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Principal } from '../platform/routes/principal.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import { createBioPages } from './bio-pages/bio-pages.ts'
import { movePagesToSharedHost } from './bio-pages/addresses.ts'
import { bioPageRoutes } from './bio-pages/routes.ts'
import { createMedia } from './media/media.ts'
import { createPictures } from './media/pictures.ts'
import { mediaRoutes } from './media/routes.ts'

export function openPages(deps: Dependencies & LinkDeps) {
  const pictures = createPictures()
  const media = createMedia({ ...deps, pictures })
  const pages = createBioPages(deps)
  const routes = { bioPages: bioPageRoutes(pages), media: mediaRoutes(media) } satisfies Record<
    string,
    Route[]
  >
  return {
    routes,
    logos: { readLogo: media.readLogo, drawLogo: pictures.drawLogo },
    moveToSharedHost: (tx: Tx, principal: Principal, domainId: string) =>
      movePagesToSharedHost(deps, tx, principal, domainId),
    [Symbol.asyncDispose]: () => pictures[Symbol.asyncDispose](),
  }
}
