import type { Route } from '../base/route.ts'
import type { Who } from '../base/who.ts'
import { previewPage } from '../edge/bio-tree.ts'
import { createBioPages } from '../services/bio-pages/bio-pages.ts'
import { movePagesToSharedHost } from '../services/bio-pages/move-to-shared.ts'
import { bioPageRoutes } from '../services/bio-pages/routes.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { createMany } from '../services/links/create.ts'
import { deleteMany } from '../services/links/delete.ts'
import { updateMany } from '../services/links/update.ts'
import type { LinkDeps } from '../services/links/dependencies.ts'
import { checkDestination } from '../services/links/destination.ts'
import { takePageAddresses } from '../services/links/page-addresses.ts'
import { freeAddresses } from '../services/links/slugs.ts'
import type { Tx } from '../storage/postgres.ts'

/** The arguments of a rule of links behind its dependencies. */
type Rest<Rule> = Rule extends (deps: LinkDeps, ...rest: infer Args) => unknown ? Args : never

const addresses = { take: takePageAddresses, free: freeAddresses }

export function createBioPageRoutes(deps: Dependencies & LinkDeps): Route[] {
  const links = {
    createMany: (...args: Rest<typeof createMany>) => createMany(deps, ...args),
    updateMany: (...args: Rest<typeof updateMany>) => updateMany(deps, ...args),
    deleteMany: (...args: Rest<typeof deleteMany>) => deleteMany(deps, ...args),
  }
  const checkUrl = (url: string, path: string) => checkDestination(url, () => false, path)
  return bioPageRoutes(createBioPages({ ...deps, links, addresses, checkUrl, draw: previewPage }))
}

/** Moves the bio pages of a domain, which is being deleted, to the shared host. */
export function movePages(deps: Dependencies, tx: Tx, who: Who, domainId: string) {
  return movePagesToSharedHost({ ...deps, addresses }, tx, who, domainId)
}
