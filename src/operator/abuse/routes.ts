import { Type } from 'typebox'
import { route, page } from '../../platform/routes/route.ts'
import { clampLimit, FilteredMeta, idParams, PageMeta } from '../../platform/resources/shapes.ts'
import { OPERATES } from '../requirements.ts'
import type { Blocks } from './blocks.ts'
import type { AbuseReports } from './reports.ts'
import * as shapes from './schema.ts'

export const abuseReportRoutes = (reports: AbuseReports) => [
  route('GET /abuse-reports', {
    requires: { credential: 'any', role: 'admin', scope: 'links:read' },
    skipConcurrencyLimit: true,
    name: 'listAbuseReports',
    summary: 'List abuse reports',
    description:
      'Pages through what visitors have reported about links of the workspace in the last 90 days, newest first. Who sent a report is not disclosed.',
    tag: 'Links',
    shapes: {
      query: shapes.ListAbuseReports,
      reply: Type.Array(shapes.AbuseReport),
      meta: FilteredMeta,
    },
    handle: (principal, { query }, signal) => reports.list(principal, query, signal),
  }),
]

/** The rules of the commands `reports`, `blocks`, `block` and `unblock`. */
export const serverAbuseRoutes = (reports: AbuseReports, blocks: Blocks) => [
  route('GET /operator/abuse-reports', {
    ...OPERATES,
    name: 'listServerAbuseReports',
    summary: 'List the abuse reports of this server',
    description: 'Pages through the reports of the last 90 days, newest first.',
    shapes: {
      query: shapes.ListServerAbuseReports,
      reply: Type.Array(shapes.ServerAbuseReport),
      meta: PageMeta,
    },
    handle: async (_caller, { query }) => {
      const slice = { limit: clampLimit(query.limit), offset: query.offset }
      const found = await reports.listAll({ ...query, ...slice })
      return { data: page(found.reports, { total: found.total, ...slice }) }
    },
  }),
  route('POST /operator/abuse-reports/:id/resolve', {
    ...OPERATES,
    status: 204,
    name: 'resolveServerAbuseReport',
    summary: 'Resolve an abuse report',
    description: 'Takes it off the list of open reports. It blocks nothing.',
    errors: ['NOT_FOUND'],
    shapes: { params: idParams('abr', 'report') },
    handle: async (_caller, { params: { id } }) => {
      await reports.resolve({ id })
      return { data: undefined }
    },
  }),
  route('GET /operator/blocks', {
    ...OPERATES,
    name: 'listBlocks',
    summary: 'List what is blocked',
    description: 'Pages through the blocks of hosts, links, workspaces and images, newest first.',
    shapes: { query: shapes.ListBlocks, reply: Type.Array(shapes.Block), meta: PageMeta },
    handle: async (_caller, { query }) => {
      const slice = { limit: clampLimit(query.limit), offset: query.offset }
      const found = await blocks.list({ ...query, ...slice })
      return { data: page(found.blocks, { total: found.total, ...slice }) }
    },
  }),
  route('POST /operator/blocks', {
    ...OPERATES,
    status: 201,
    name: 'createBlock',
    summary: 'Block a host, a link, a workspace or an image',
    description:
      'Links answer 451: a single one within a second, those of a host and its subdomains one after another. A workspace is suspended.',
    errors: ['NOT_FOUND'],
    shapes: { body: shapes.CreateBlock, reply: shapes.Block },
    handle: async ({ requestId }, { body }) => ({ data: await blocks.block(body, requestId) }),
  }),
  route('DELETE /operator/blocks/:id', {
    ...OPERATES,
    status: 204,
    name: 'deleteBlock',
    summary: 'Lift a block',
    description: 'Its links get their former status, unless another block covers them.',
    errors: ['NOT_FOUND'],
    shapes: { params: idParams('blo', 'block') },
    handle: async ({ requestId }, { params: { id } }) => {
      await blocks.unblockById(id, requestId)
      return { data: undefined }
    },
  }),
]
