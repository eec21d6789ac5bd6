import { bindDeps } from '../base/bind-deps.ts'
import type { Route } from '../base/route.ts'
import type { Dependencies } from '../services/dependencies.ts'
import { dropImageOfPages } from '../services/bio-pages/drop-image.ts'
import type { ImportFiles } from '../services/imports/files.ts'
import { createImports } from '../services/imports/imports.ts'
import { importRoutes } from '../services/imports/routes.ts'
import { isAnotherUnfinished, type createJobs } from '../services/jobs/jobs.ts'
import { bulkLinkRoutes } from '../services/links/bulk-routes.ts'
import { createBulkLinks } from '../services/links/bulk.ts'
import { dropImage } from '../services/links/drop-image.ts'
import { linkExportRoutes } from '../services/links/export-routes.ts'
import { createLinkExports } from '../services/links/export.ts'
import { createLinks } from '../services/links/links.ts'
import { linkPreviewRoutes } from '../services/links/preview-routes.ts'
import { createLinkPreviews } from '../services/links/preview.ts'
import { linkQrRoutes } from '../services/links/qr-routes.ts'
import { createLinkQr } from '../services/links/qr.ts'
import { linkRoutes } from '../services/links/routes.ts'
import { undoOperation } from '../services/links/undo.ts'
import { findUndoable } from '../services/links/versions.ts'
import { createMedia } from '../services/media/media.ts'
import { mediaRoutes } from '../services/media/routes.ts'
import type { Media } from './media.ts'

type Deps = Dependencies &
  Parameters<typeof createLinks>[0] & {
    jobs: ReturnType<typeof createJobs>
    previews: Parameters<typeof createLinkPreviews>[0]
    uploads: Media
    files: ImportFiles
  }

/** Links, what is made of them, and the images that they show. */
export function createLinkRoutes(deps: Deps): { links: Route[]; media: Route[] } {
  const links = createLinks(deps)
  const media = createMedia({
    ...deps,
    dropFrom: {
      link: (...args) => dropImage(deps, ...args),
      bio_page: (...args) => dropImageOfPages(deps, ...args),
    },
    storeImage: deps.uploads.store,
    toPublicUrl: deps.uploads.toPublicUrl,
  })
  const imports = createImports({
    ...deps,
    isAnotherUnfinished,
    ...bindDeps(deps, { undoOperation, findUndoable }),
  })
  return {
    links: [
      ...bulkLinkRoutes(createBulkLinks(deps)),
      ...linkExportRoutes(createLinkExports(deps)),
      ...linkQrRoutes(
        links,
        createLinkQr({
          getLink: links.get,
          readLogo: media.readLogo,
          drawLogo: deps.uploads.drawLogo,
        }),
      ),
      ...linkPreviewRoutes(createLinkPreviews(deps.previews)),
      ...linkRoutes(links),
      ...importRoutes(imports),
    ],
    media: mediaRoutes(media),
  }
}
