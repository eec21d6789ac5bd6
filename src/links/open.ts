import type { Jobs, JobKind } from '../platform/jobs/jobs.ts'
import { JobWorker } from '../platform/jobs/worker.ts'
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
import { createShlinkApi } from './imports/shlink-api.ts'
import { createShlinkKind, SHLINK_SLICE_MS } from './imports/shlink-kind.ts'
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
  const shlink = createShlinkApi(previews)
  const sliceMs = SHLINK_SLICE_MS
  const kinds = [createShlinkKind({ ...deps, shlink })]
  const routes = {
    links: [
      ...bulkLinkRoutes(createBulkLinks(deps)),
      ...linkExportRoutes(createLinkExports(deps)),
      ...linkQrRoutes(links, createLinkQr({ findLink: links.find, getLink: links.get, ...logos })),
      ...linkPreviewRoutes(createLinkPreviews(previews)),
      ...linkIconRoutes(createLinkIcons(previews)),
      ...linkRoutes(links),
      ...linkViewRoutes(createLinkViews(deps)),
      ...importRoutes(createImports({ ...withJobs, files, shlink })),
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
    importWorker: new JobWorker({ ...deps, kinds, name: 'imports', sliceMs }),
    async [Symbol.asyncDispose]() {
      await Promise.all([files, shlink].map((each) => each[Symbol.asyncDispose]()))
    },
  }
}
