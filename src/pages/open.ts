import type { Route } from '../platform/routes/route.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import type { Principal } from '../platform/routes/principal.ts'
import type { Tx } from '../platform/storage/postgres/postgres.ts'
import type { LinkDeps } from '../links/link/dependencies.ts'
import { checkDestination } from '../links/link/destination.ts'
import { freeAddresses } from '../links/link/slugs.ts'
import { takePageAddresses } from '../links/list/page-addresses.ts'
import { createMany } from '../links/write/create.ts'
import { deleteMany } from '../links/write/delete.ts'
import { dropImage } from '../links/write/drop-image.ts'
import { updateMany } from '../links/write/update.ts'
import { previewPage } from '../redirect/pages/bio-tree.ts'
import { createBioPages } from './bio-pages/bio-pages.ts'
import { dropImageOfPages } from './bio-pages/drop-image.ts'
import { movePagesToSharedHost } from './bio-pages/move-to-shared.ts'
import { bioPageRoutes } from './bio-pages/routes.ts'
import { createMedia } from './media/media.ts'
import { createPictures } from './media/pictures.ts'
import { mediaRoutes } from './media/routes.ts'
import { createUploads } from './media/uploads.ts'

type Deps = Dependencies & LinkDeps

/** The arguments of a rule of links behind its dependencies. */
type Rest<Rule> = Rule extends (deps: LinkDeps, ...rest: infer Args) => unknown ? Args : never

const addresses = { take: takePageAddresses, free: freeAddresses }

/** Bio pages, and the images of workspaces, which a process of its own decodes. */
export function openPages(deps: Deps) {
  const pictures = createPictures()
  /** The address of an image on the shared host. */
  const toPublicUrl = (id: string) => `${deps.shortHost().origin}/media-public/${id}`
  const media = createMedia({
    ...deps,
    dropFrom: {
      link: (...args) => dropImage(deps, ...args),
      bio_page: (...args) => dropImageOfPages(deps, ...args),
    },
    storeImage: createUploads({ ...deps, pictures, toPublicUrl }).storeImage,
    toPublicUrl,
  })
  const links = {
    createMany: (...args: Rest<typeof createMany>) => createMany(deps, ...args),
    updateMany: (...args: Rest<typeof updateMany>) => updateMany(deps, ...args),
    deleteMany: (...args: Rest<typeof deleteMany>) => deleteMany(deps, ...args),
  }
  const checkUrl = (url: string, path: string) => checkDestination(url, () => false, path)
  const pages = createBioPages({ ...deps, links, addresses, checkUrl, draw: previewPage })
  const routes = { bioPages: bioPageRoutes(pages), media: mediaRoutes(media) } satisfies Record<
    string,
    Route[]
  >
  return {
    routes,
    logos: { readLogo: media.readLogo, drawLogo: pictures.drawLogo },
    /** Moves the bio pages of a domain, which is being deleted, to the shared host. */
    moveToSharedHost: (tx: Tx, principal: Principal, domainId: string) =>
      movePagesToSharedHost({ ...deps, addresses }, tx, principal, domainId),
    [Symbol.asyncDispose]: () => pictures[Symbol.asyncDispose](),
  }
}
