import type { Jobs, JobKind } from '../platform/jobs/jobs.ts'
import type { Route } from '../platform/routes/route.ts'
import type { Dependencies } from '../platform/resources/dependencies.ts'
import { createCampaigns } from './campaigns/campaigns.ts'
import { campaignRoutes } from './campaigns/routes.ts'
import { createLinkExports, linkExportRoutes } from './export/export.ts'
import { createFolders } from './folders/folders.ts'
import { folderRoutes } from './folders/routes.ts'
import { groupClearingKind } from './group-clearing.ts'
import { createImportFiles } from './imports/files.ts'
import { createImports } from './imports/imports.ts'
import { createImportKind } from './imports/kind.ts'
import { importRoutes } from './imports/routes.ts'
import type { LinkDeps } from './link/dependencies.ts'
import { createLinks } from './link/links.ts'
import { bulkLinkRoutes, linkRoutes } from './link/routes.ts'
import type { LinkClicks } from './list/period-clicks.ts'
import { createLinkIcons, linkIconRoutes } from './preview/icon.ts'
import { createLinkPreviews, linkPreviewRoutes } from './preview/preview.ts'
import { createLinkQr, linkQrRoutes, type LogoReaders } from './qr/qr.ts'
import { createSearch, searchRoutes } from './search/search.ts'
import { tagRoutes } from './tags/routes.ts'
import { createTags, tagChangeKind } from './tags/tags.ts'
import { linkViewRoutes } from './views/routes.ts'
import { createLinkViews } from './views/views.ts'
import { utmTemplateRoutes } from './utm-templates/routes.ts'
import { createUtmTemplates } from './utm-templates/utm-templates.ts'
import { createBulkLinks } from './write/bulk.ts'

type Deps = Dependencies & LinkDeps & { linkClicks: LinkClicks }

type Neighbors = {
  jobs: Jobs
  previews: Parameters<typeof createLinkPreviews>[0]
  logos: LogoReaders
}

export function openLinks(deps: Deps, { jobs, previews, logos }: Neighbors) {
  const withJobs = { ...deps, jobs }
  const links = createLinks(deps)
  const files = createImportFiles()
  const routes = {
    links: [
      ...bulkLinkRoutes(createBulkLinks(deps)),
      ...linkExportRoutes(createLinkExports(deps)),
      ...linkQrRoutes(links, createLinkQr({ findLink: links.find, getLink: links.get, ...logos })),
      ...linkPreviewRoutes(createLinkPreviews(previews)),
      ...linkIconRoutes(createLinkIcons(previews)),
      ...linkRoutes(links),
      ...linkViewRoutes(createLinkViews(deps)),
      ...importRoutes(createImports({ ...withJobs, files })),
    ],
    folders: folderRoutes(createFolders(withJobs)),
    tags: tagRoutes(createTags(withJobs)),
    campaigns: campaignRoutes(createCampaigns(withJobs)),
    utmTemplates: utmTemplateRoutes(createUtmTemplates(deps)),
    search: searchRoutes(createSearch(deps)),
  } satisfies Record<string, Route[]>
  return {
    routes,
    jobKinds: [groupClearingKind, tagChangeKind, createImportKind(deps)] as JobKind[],
    [Symbol.asyncDispose]: () => files[Symbol.asyncDispose](),
  }
}
