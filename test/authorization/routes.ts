import type { Route } from '../../src/platform/routes/route.ts'
import type { Role } from '../../src/platform/routes/principal.ts'
import * as account from './account-requests.ts'
import * as oauth from './oauth-requests.ts'
import {
  addClick,
  addDeadLetter,
  addFinishedReport,
  addVersion,
  deleteLinks,
  finishImport,
  freshDigest,
  freshHost,
  freshName,
  make,
  requestOf,
  shareToken,
  tagALink,
  type Asked,
} from './requests.ts'
import { freshImage } from '../support/images.ts'
import { LOGO, toFormBody } from '../support/forms.ts'
import { addMember, addActor, type Actor, type Stage } from '../support/stage.ts'
import type { World } from '../support/world.ts'

/*
 * Expected behavior of every route, for all tests that go through the routes of the program. It is
 * written down here from the contract and not read from the routes, so that a wrong row of a route
 * table fails. A new resource adds its roles, and a route only what differs from the rules below.
 */

/** Kind of the answer to a good request: `data` of this type in the envelope, bytes, a page for a browser, nothing, or JSON of another protocol. */
export type Answered = {
  status: number
  kind: 'object' | 'array' | 'bytes' | 'page' | 'nothing' | 'plain'
  meta?: readonly string[]
  /** The content type of bytes. */
  type?: string
  /** Of bytes, which are `private, no-cache` then, or of the data and `meta`. */
  hasEtag?: true
  /** `immutable` beside it. */
  isImmutable?: true
  /** Of bytes that clients may keep without asking again. */
  maxAgeSeconds?: number
}

const PAGE_META = ['requestId', 'total', 'limit', 'offset']
const BULK: Answered = {
  status: 200,
  kind: 'array',
  meta: ['requestId', 'total', 'succeeded', 'failed'],
}
const BULK_CHANGE: Answered = { ...BULK, meta: [...BULK.meta!, 'undoId'] }
const UNDONE: Answered = { ...BULK, meta: ['requestId', 'total', 'succeeded', 'skipped'] }
/** A workspace has one import at a time. */
const cancelImports = ({ sql }: World) => sql`
  update jobs set status = 'canceled', owner = null, completed_at = now()
  where is_single and completed_at is null`

const READ: Answered = { status: 200, kind: 'object' }
const PAGED: Answered = { status: 200, kind: 'array', meta: PAGE_META }
const MADE: Answered = { status: 201, kind: 'object' }
const TAKEN: Answered = { status: 202, kind: 'object' }
const GONE: Answered = { status: 204, kind: 'nothing' }
const IMAGE: Answered = { status: 200, kind: 'bytes', type: 'image/png', hasEtag: true }
const PAGE: Answered = { status: 200, kind: 'page' }
const PLAIN: Answered = { status: 200, kind: 'plain' }
const AWAY: Answered = { status: 302, kind: 'nothing' }
/** Answers in full only where something is sold: test/operator/billing.test.ts. */
const NOT_SOLD: Answered = { status: 409, kind: 'nothing' }

export type Access = {
  credential: 'none' | 'session' | 'any'
  role?: Role
  scope?: string
  operator?: true
}

/** Lowest roles that read and write a resource, and its scope, by the first part of the path (contract, Roles). */
const RESOURCES: Record<string, { read: Role; write: Role; scope: string | null }> = {
  links: { read: 'viewer', write: 'member', scope: 'links' },
  campaigns: { read: 'viewer', write: 'member', scope: 'campaigns' },
  conversions: { read: 'viewer', write: 'member', scope: 'conversions' },
  track: { read: 'viewer', write: 'member', scope: 'conversions' },
  'utm-templates': { read: 'viewer', write: 'member', scope: 'utm-templates' },
  reports: { read: 'viewer', write: 'member', scope: 'reports' },
  alerts: { read: 'viewer', write: 'member', scope: 'alerts' },
  domains: { read: 'viewer', write: 'admin', scope: 'domains' },
  deferred: { read: 'viewer', write: 'member', scope: 'deferred' },
  tags: { read: 'viewer', write: 'member', scope: 'links' },
  'link-views': { read: 'viewer', write: 'member', scope: 'links' },
  folders: { read: 'viewer', write: 'member', scope: 'links' },
  dashboards: { read: 'member', write: 'member', scope: 'dashboards' },
  media: { read: 'viewer', write: 'member', scope: 'media' },
  'bio-pages': { read: 'viewer', write: 'member', scope: 'bio-pages' },
  analytics: { read: 'viewer', write: 'viewer', scope: 'analytics' },
  webhooks: { read: 'viewer', write: 'admin', scope: 'webhooks' },
  // Managed by sessions alone, so that they have no scope.
  'api-keys': { read: 'admin', write: 'admin', scope: null },
  workspaces: { read: 'viewer', write: 'admin', scope: 'workspaces' },
  members: { read: 'viewer', write: 'admin', scope: 'members' },
  invitations: { read: 'admin', write: 'admin', scope: 'members' },
  'abuse-reports': { read: 'admin', write: 'admin', scope: 'links' },
  'audit-log': { read: 'admin', write: 'admin', scope: 'audit-log' },
  'security-log': { read: 'admin', write: 'admin', scope: 'security-log' },
  billing: { read: 'admin', write: 'owner', scope: 'billing' },
}

const PUBLIC: Access = { credential: 'none' }
const USER: Access = { credential: 'session' }
const OPERATOR: Access = { credential: 'session', operator: true }
const OWNER_SESSION: Access = { credential: 'session', role: 'owner' }
const WEBHOOK_ADMIN: Access = { credential: 'any', role: 'admin', scope: 'webhooks:write' }

type Facts = {
  /** Replaces the parts of a good request that do not follow from the shapes. */
  ask?: (at: Stage, caller: Actor) => Promise<Asked> | Asked
  access?: Access
  answer?: Answered
  /** Scopes beside that of the route, by the data that a good request concerns. */
  dataScopes?: readonly string[]
  /** Refused by a plan that includes nothing. */
  needsPlan?: true
  /** Ends the workspace, so that each request gets one of its own. */
  endsWorkspace?: true
  /** Status for another user with a session, where the request names a row of the caller; 404 for an id in the path. */
  forAnother?: 403
  /** The reason why a successful request changes state without a log row, or the other way round. */
  uneven?: string
  /** The path names no row by its id, so that it is unknown to other workspaces. */
  namesNoRow?: true
  /** The parameters of the path are words of a list, which mean the same in every workspace. */
  hasOnlyWords?: true
  /** Answers differently each time, so that tests compare only the status. */
  varies?: true
  /** The answer to a page of another site, where it is neither a refusal nor that of a good request. */
  foreignPage?: { status: number; why: string }
  /** The only cookie that an answer to a page of another site may set. */
  foreignCookie?: string
  /** The only table that a request from a page of another site changes. */
  foreignTable?: string
}

let asked = 0
const CONVERSION = 'a conversion is a record itself, and is written as often as customers buy'
const keptName = 'a name protects nothing'
const challenge = 'a challenge, which is void in five minutes'
const tokenInPath = async (at: Stage, caller: Actor) => ({
  params: { token: await account.invite(at, caller) },
})
const answersInvitation: Facts = { ask: tokenInPath, access: USER, forAnother: 403 }
const waitsForUser = 'an app asks, which a user answers or which ends in ten minutes'
const oidc = () => ({ params: { provider: 'oidc' } })

const LINKS_REPORT = ['links:read', 'analytics:read']

const LISTED: Answered = { status: 200, kind: 'array' }
const ANALYTICS_META = ['requestId', 'period', 'timezone', 'asOf']
const VALUE_META = [...ANALYTICS_META, 'currencies']
const ROWS_META = [...ANALYTICS_META, 'approximate', 'currencies']
const SERIES = { ...LISTED, meta: [...ROWS_META, 'granularity'] }
const ANALYTICS_PAGE = {
  ...LISTED,
  meta: [...ANALYTICS_META, 'approximate', 'limit', 'offset', 'currencies'],
}

/** Facts of the routes that differ from the rules in {@link accessOf}, {@link answerOf} and {@link goodRequest}. */
export const ROUTES: Record<string, Facts> = {
  'GET /links': { answer: { ...PAGED, meta: [...PAGE_META, 'nextCursor'] } },
  'POST /links': { needsPlan: true },
  'GET /links/check': {
    ask: () => ({ query: { slug: 'free' } }),
    answer: READ,
  },
  'GET /links/count': { answer: READ },
  'GET /links/preview': {
    // A page that cannot be read is answered after a second.
    ask: ({ world }) => ({ query: { url: `${world.origin}/v1/reference` } }),
    answer: READ,
  },
  'GET /links/icon': {
    // Nothing listens there: a site without an icon is answered with another one.
    ask: () => ({ query: { url: 'http://127.0.0.1:9/' } }),
    answer: { status: 200, kind: 'bytes', type: 'image/svg+xml', maxAgeSeconds: 3_600 },
  },
  'PUT /links/upsert': { answer: { ...READ, meta: ['requestId', 'created'] }, needsPlan: true },
  'POST /links/bulk': { answer: BULK },
  'PATCH /links/bulk': {
    ask: async (at, caller) => ({
      body: { ids: [await make(at, 'lnk', caller)], data: { name: 'Renamed in bulk' } },
    }),
    answer: BULK_CHANGE,
  },
  'DELETE /links/bulk': {
    ask: async (at, caller) => ({ body: { ids: [await make(at, 'lnk', caller)] } }),
    answer: BULK_CHANGE,
  },
  'POST /links/bulk/undo': {
    ask: async (at, caller) => ({
      body: { undoId: await deleteLinks(at, [await make(at, 'lnk', caller)]) },
    }),
    answer: UNDONE,
  },
  'POST /links/:id/restore': {
    ask: async (at, caller) => {
      const id = await make(at, 'lnk', caller)
      await deleteLinks(at, [id])
      return { params: { id } }
    },
    answer: READ,
  },
  'POST /links/imports/:id/undo': {
    ask: async (at, caller) => {
      const [id, linkId] = [await make(at, 'imp', caller), await make(at, 'lnk', caller)]
      await finishImport(at, id, linkId)
      return { params: { id } }
    },
    answer: UNDONE,
  },
  'POST /links/:id/rollback': {
    ask: async (at, caller) => {
      const id = await make(at, 'lnk', caller)
      const historyId = await addVersion(at, id)
      return { params: { id }, body: { historyId } }
    },
  },
  'GET /links/:id/explain': { answer: READ },
  'POST /links/explain': {
    // It answers, and changes nothing.
    access: { credential: 'any', role: 'viewer', scope: 'links:read' },
    answer: READ,
  },
  'GET /links/:id/qr': { answer: IMAGE },
  'POST /links/qr': {
    ask: async (at, caller) => ({ body: { ids: [await make(at, 'lnk', caller)] } }),
    // It draws, and changes nothing.
    access: { credential: 'any', role: 'viewer', scope: 'links:read' },
    answer: { status: 200, kind: 'bytes', type: 'application/zip' },
  },
  'POST /links/:id/qr': {
    ask: async () => ({ upload: await toFormBody({ logo: LOGO }) }),
    // It draws, and changes nothing.
    access: { credential: 'any', role: 'viewer', scope: 'links:read' },
    answer: IMAGE,
  },
  'GET /links/export.csv': {
    answer: { status: 200, kind: 'bytes', type: 'text/csv; charset=utf-8' },
    varies: true,
  },
  // Its own name, which a second request finds again.
  'PATCH /tags/:name': {
    ask: async (at) => {
      const name = await tagALink(at)
      return { params: { name }, body: { name } }
    },
    namesNoRow: true,
  },
  'DELETE /tags/:name': {
    ask: async (at) => ({ params: { name: await tagALink(at) } }),
    namesNoRow: true,
  },
  'POST /links/import': {
    ask: async ({ world }) => {
      await cancelImports(world)
      const bytes = Buffer.from('name,destinationUrl\nImported,https://example.com/imported\n')
      return { query: { dryRun: 'true' }, upload: { contentType: 'text/csv', bytes } }
    },
    answer: TAKEN,
  },
  'POST /links/import/shlink': {
    // Answered in full where there is a Shlink server: test/links/imports/shlink.slow.test.ts.
    ask: async ({ world }) => {
      await cancelImports(world)
      return { body: { baseUrl: 'ftp://example.com', apiKey: 'key' } }
    },
    answer: { status: 400, kind: 'nothing' },
  },
  'POST /links/import/columns': {
    ask: () => ({ body: { columns: ['name', 'destinationUrl'] } }),
    // It answers, and changes nothing.
    access: { credential: 'any', role: 'viewer', scope: 'links:read' },
    answer: READ,
  },
  'POST /links/imports/:id/cancel': { answer: READ },
  'POST /media': {
    ask: () => ({ upload: { contentType: 'image/png', bytes: freshImage() } }),
    needsPlan: true,
  },
  'GET /media': { answer: { ...PAGED, meta: [...PAGE_META, 'usedBytes'] } },
  'GET /media/:id/content': { answer: { ...IMAGE, isImmutable: true } },
  'POST /bio-pages': {
    ask: () => ({ body: { slug: freshName().replace(' ', '-'), title: 'Ana' } }),
    answer: { ...MADE, meta: ['requestId', 'leftOut'] },
    needsPlan: true,
  },
  'POST /bio-pages/:id/preview': {
    ask: () => ({ body: { title: freshName() } }),
    // It draws, and changes nothing.
    access: { credential: 'any', role: 'viewer', scope: 'bio-pages:read' },
    answer: READ,
  },
  'PATCH /bio-pages/:id': { ask: () => ({ body: { title: freshName() } }) },
  'POST /folders': { ask: () => ({ body: { name: freshName() } }) },
  'POST /deferred/resolve': {
    ask: async (at, caller) => ({ body: { clickId: await addClick(at, caller) } }),
    answer: READ,
    needsPlan: true,
    uneven: 'a match has a table of its own',
  },
  'POST /domains': { ask: () => ({ body: { hostname: freshHost() } }), needsPlan: true },
  'POST /domains/:id/verify': { needsPlan: true },
  'PATCH /domains/:id': { ask: () => ({ body: { caseSensitive: true } }) },
  'POST /dashboards': { needsPlan: true },
  'GET /public/dashboards/:token': {
    ask: async (at) => ({ params: { token: await shareToken(at) } }),
    access: PUBLIC,
    answer: READ,
  },
  'POST /campaigns': { needsPlan: true },
  'POST /utm-templates': { needsPlan: true },
  'GET /analytics/links/:id': { answer: { ...READ, meta: VALUE_META, hasEtag: true } },
  'GET /analytics/links/:id/timeseries': { answer: { ...SERIES, hasEtag: true } },
  'GET /analytics/links/:id/breakdowns/:dimension': {
    ask: async (at, caller) => ({
      params: { id: await make(at, 'lnk', caller), dimension: 'country' },
    }),
    answer: { ...ANALYTICS_PAGE, hasEtag: true },
  },
  'GET /analytics/overview': { answer: { ...READ, meta: VALUE_META, hasEtag: true } },
  'GET /analytics/campaigns/:id': { answer: { ...READ, meta: VALUE_META, hasEtag: true } },
  'GET /analytics/domains/:id': { answer: { ...READ, meta: VALUE_META, hasEtag: true } },
  'GET /analytics/bio-pages/:id': {
    answer: { ...READ, meta: [...ANALYTICS_META, 'granularity'], hasEtag: true },
  },
  'GET /analytics/timeseries': { answer: { ...SERIES, hasEtag: true } },
  'GET /analytics/top-links': { answer: { ...ANALYTICS_PAGE, hasEtag: true } },
  'GET /analytics/breakdowns': {
    answer: { ...READ, meta: ROWS_META, hasEtag: true },
  },
  'GET /analytics': { answer: { ...READ, meta: VALUE_META, hasEtag: true } },
  'GET /analytics/summary': { answer: { ...SERIES, kind: 'object', hasEtag: true } },
  'GET /analytics/values/:dimension': {
    ask: () => ({ params: { dimension: 'country' } }),
    hasOnlyWords: true,
    answer: { ...LISTED, hasEtag: true },
  },
  'GET /analytics/breakdowns/:dimension': {
    ask: () => ({ params: { dimension: 'country' } }),
    hasOnlyWords: true,
    answer: { ...ANALYTICS_PAGE, hasEtag: true },
  },
  'GET /analytics/events': {
    answer: {
      ...LISTED,
      meta: [...ANALYTICS_META, 'total', 'limit', 'offset', 'clicksFrom', 'nextCursor'],
    },
  },
  'GET /analytics/conversions': {
    answer: {
      ...LISTED,
      meta: ['requestId', 'period', 'timezone', 'totals', 'total', 'limit', 'offset'],
    },
  },
  'GET /analytics/export': {
    answer: { status: 200, kind: 'bytes', type: 'text/csv; charset=utf-8' },
  },
  'GET /analytics/live': {
    ask: () => ({ query: { maxSeconds: '0' } }),
    answer: { status: 200, kind: 'bytes', type: 'text/event-stream' },
  },

  'POST /conversions': {
    ask: () => ({ body: { eventName: 'Purchase', eventId: freshName() } }),
    answer: TAKEN,
    needsPlan: true,
    uneven: CONVERSION,
  },

  'POST /track/lead': { answer: TAKEN, needsPlan: true, uneven: CONVERSION },
  'POST /track/sale': { answer: TAKEN, needsPlan: true, uneven: CONVERSION },

  'POST /alerts': {
    ask: async (at, caller) => ({
      body: { linkId: await make(at, 'lnk', caller), watches: ['clicks'] },
    }),
  },
  'PATCH /alerts/:id': { ask: () => ({ body: { watches: ['destination'] } }) },
  'POST /reports': { answer: TAKEN, needsPlan: true, dataScopes: LINKS_REPORT },
  'PATCH /reports/:id': { dataScopes: LINKS_REPORT },
  'DELETE /reports/:id': { dataScopes: LINKS_REPORT },
  'POST /reports/:id/cancel': {
    answer: READ,
    dataScopes: LINKS_REPORT,
    uneven: 'the state of a run is that of its job',
  },
  'GET /reports/:id/download': {
    dataScopes: LINKS_REPORT,
    ask: async (at, caller) => ({ params: { id: await addFinishedReport(at, caller) } }),
    answer: { status: 200, kind: 'bytes', type: 'text/csv; charset=utf-8', hasEtag: true },
  },

  'POST /webhooks': { needsPlan: true },
  'POST /webhooks/endpoints': { needsPlan: true },
  'PATCH /webhooks/endpoints/:id': {
    ask: () => ({ body: { description: 'New' } }),
    needsPlan: true,
  },
  'GET /webhooks/endpoints/:id/secret': {
    access: WEBHOOK_ADMIN,
    answer: READ,
    uneven: 'reading a secret is audited, and changes nothing',
  },
  'POST /webhooks/endpoints/:id/test': { answer: TAKEN, needsPlan: true },
  'POST /webhooks/endpoints/:id/replay': {
    // Until later than now, since the clock of the tests does not move.
    ask: () => ({
      body: { since: '2026-01-01T00:00:00.000Z', until: '2100-01-01T00:00:00.000Z' },
    }),
    answer: TAKEN,
    needsPlan: true,
  },
  'POST /webhooks/deliveries/retry': {
    ask: async (at) => {
      await addDeadLetter(at)
      return {}
    },
    answer: TAKEN,
    needsPlan: true,
  },
  'POST /webhooks/deliveries/:deliveryId/retry': { answer: TAKEN, needsPlan: true },
  'GET /webhooks/events': { answer: READ },
  'GET /webhooks/deliveries/counts': { answer: READ },
  'GET /webhooks/endpoints/:id/stats': { answer: READ },
  'GET /webhooks/listen': { access: WEBHOOK_ADMIN, answer: READ, needsPlan: true, varies: true },
  'POST /webhooks/dispatch': {
    ask: async (at) => {
      await make(at, 'whe')
      return {}
    },
    answer: TAKEN,
    needsPlan: true,
  },

  'POST /api-keys': { needsPlan: true },

  'DELETE /workspaces/:id': {
    ask: async ({ world, workspaceId }) => {
      const [row] = await world.sql<{ name: string }[]>`
        select name from workspaces where id = ${workspaceId}`
      return { body: { confirm: row!.name } }
    },
    access: { credential: 'any', role: 'owner', scope: 'workspaces:write' },
    endsWorkspace: true,
    uneven: 'its own log goes with it; the security log of the user has a row',
  },
  'GET /workspaces': { access: { credential: 'any' } },
  'POST /workspaces': { access: USER },
  'POST /workspaces/:id/activate': {
    ask: async (at, { userId }) => {
      await addMember(at, userId, 'viewer')
      return {}
    },
    access: USER,
    forAnother: 403,
    uneven: 'only the active workspace of a session changes',
  },

  'POST /invitations': { needsPlan: true },
  'GET /invitations/received/:token': { ...answersInvitation, answer: READ },
  'POST /invitations/:token/accept': answersInvitation,
  'POST /invitations/:token/reject': answersInvitation,

  'GET /audit-log': { needsPlan: true },
  'GET /search': {
    ask: () => ({ query: { q: 'spring' } }),
    access: { credential: 'any', role: 'viewer' },
    answer: READ,
  },
  'GET /geoip': {
    access: { credential: 'any', role: 'viewer' },
    answer: { ...READ, meta: ['requestId', 'attribution', 'dataBuiltAt'] },
  },
  'GET /plans': { access: { credential: 'any', role: 'viewer' } },
  'GET /billing/subscription': { answer: READ },
  'GET /billing/usage': { answer: READ, varies: true },
  'POST /billing/checkout': { access: OWNER_SESSION, answer: NOT_SOLD },
  'POST /billing/portal': { access: OWNER_SESSION, answer: NOT_SOLD },

  'PATCH /operator/workspaces/:id': {
    ask: () => ({ body: { apiRequestsPerMinute: 1_000_000 + ++asked } }),
  },
  'POST /operator/workspaces/:id/suspend': {
    ask: async ({ world }) => ({ params: { id: (await world.member()).workspaceId }, body: {} }),
  },
  'POST /operator/workspaces/:id/resume': {
    ask: async ({ world }) => {
      const { workspaceId: id } = await world.member()
      await world.sql`update workspaces set suspended_at = now() where id = ${id}`
      return { params: { id } }
    },
  },
  'POST /operator/abuse-reports/:id/resolve': {
    answer: GONE,
    uneven: 'a report is a record itself, which belongs to no workspace',
  },
  'POST /operator/blocks': {
    // An image, since the worker goes on with a host.
    ask: () => ({ body: { kind: 'image', value: freshDigest() } }),
    uneven: 'a block is a record itself; links that it blocks are audited',
  },
  'DELETE /operator/blocks/:id': {
    uneven: 'a block is a record itself; links that it blocked are audited',
  },
  'GET /operator/health': { answer: READ, varies: true },

  'POST /auth/sign-up/email': { access: PUBLIC, answer: MADE },
  'GET /auth/verify-email': {
    ask: async (at) => ({ query: { token: await account.signUp(at) } }),
    access: PUBLIC,
    answer: PAGE,
  },
  'POST /auth/verify-email': {
    ask: async (at) => ({ body: { token: await account.signUp(at), password: account.PASSWORD } }),
    access: PUBLIC,
  },
  'POST /auth/send-verification-email': { access: PUBLIC },
  'POST /auth/sign-in/email': {
    ask: async ({ world }) => {
      const { email } = await addActor(world, await account.passwordHash)
      return { body: { email, password: account.PASSWORD } }
    },
    access: PUBLIC,
  },
  'POST /auth/sign-out': { access: PUBLIC, answer: GONE },
  'GET /auth/session': { answer: READ },
  'DELETE /auth/sessions': {
    ask: async (at, caller) => {
      await make(at, 'ses', caller)
      return {}
    },
  },
  'GET /auth/ok': { access: PUBLIC, answer: READ },
  'POST /auth/request-password-reset': {
    ask: async ({ world }) => ({ body: { email: (await addActor(world)).email } }),
    access: PUBLIC,
  },
  'GET /auth/reset-password': {
    ask: async (at) => ({ query: { token: await account.resetToken(at) } }),
    access: PUBLIC,
    answer: PAGE,
  },
  'POST /auth/reset-password': {
    ask: async (at) => ({
      body: { token: await account.resetToken(at), password: account.OTHER_PASSWORD },
    }),
    access: PUBLIC,
  },
  'PATCH /auth/user': { uneven: keptName },
  'GET /auth/user/export': { answer: READ },
  'DELETE /auth/user': { ask: () => ({ body: { workspaces: 'delete' } }) },
  'POST /auth/change-email': { uneven: 'changed only when both addresses agree, which is noted' },
  'GET /auth/change-email': {
    ask: async (at) => ({ query: { token: await account.changeToken(at) } }),
    access: PUBLIC,
    answer: PAGE,
  },
  'POST /auth/change-email/confirm': {
    ask: async (at) => ({
      body: { token: await account.changeToken(at), password: account.PASSWORD },
    }),
    access: PUBLIC,
    uneven: 'one of two',
  },
  'GET /auth/invitation': {
    ask: async (at, caller) => ({ query: { token: await account.invite(at, caller) } }),
    access: PUBLIC,
    answer: PAGE,
  },
  'POST /auth/invitation': {
    ask: async (at, caller) => ({
      body: { token: await account.invite(at, caller), answer: 'accept' },
    }),
    forAnother: 403,
  },

  'GET /auth/two-factor': { answer: READ },
  'POST /auth/two-factor/enable': { uneven: 'on only with the first code, which is noted' },
  'GET /auth/two-factor/verify': { access: PUBLIC, answer: PAGE },
  'POST /auth/two-factor/verify': { ask: account.waitingForCode, access: PUBLIC },
  'POST /auth/two-factor/backup-codes': {
    ask: async ({ world }, caller) => {
      await account.withTwoFactor(world, caller)
      return {}
    },
  },
  'POST /auth/two-factor/disable': {
    ask: async ({ world }, caller) => ({
      body: { code: await account.withTwoFactor(world, caller) },
    }),
  },

  'POST /auth/passkeys/register/options': { uneven: challenge, varies: true },
  'POST /auth/passkeys/register/verify': {
    ask: ({ world }, caller) => account.newPasskey(world, caller),
    answer: MADE,
  },
  'POST /auth/passkeys/sign-in/options': { access: PUBLIC, uneven: challenge, varies: true },
  'POST /auth/passkeys/sign-in/verify': { ask: account.signInWithPasskey, access: PUBLIC },
  'PATCH /auth/passkeys/:id': { uneven: keptName },

  'GET /auth/providers': {
    access: PUBLIC,
    answer: {
      ...PAGED,
      meta: [
        ...PAGE_META,
        'signup',
        'emailVerificationRequired',
        'mail',
        'outboxPath',
        'shortDomain',
        'passkeys',
        'password',
      ],
    },
  },
  'GET /auth/sign-in/:provider': {
    ask: oidc,
    access: PUBLIC,
    answer: AWAY,
    // Other sites may link to it; it leads to the provider, and the account there signs in.
    foreignCookie: 'signpost_oauth',
  },
  'GET /auth/callback/:provider': {
    ask: account.backFromProvider,
    access: PUBLIC,
    answer: AWAY,
    foreignPage: { status: 400, why: 'another page does not know the state of the attempt' },
  },
  'POST /auth/link/:provider': { ask: oidc },

  'GET /auth/oauth/authorize': {
    ask: async ({ world }) => ({ query: await oauth.authorization(world) }),
    access: PUBLIC,
    answer: AWAY,
    uneven: waitsForUser,
    varies: true,
    // Pages of apps lead to it, and the user has not answered yet.
    foreignTable: 'oauth_requests',
  },
  'POST /auth/oauth/device': {
    ask: () => ({ body: { client_id: 'signpost-cli' } }),
    access: PUBLIC,
    answer: PLAIN,
    uneven: waitsForUser,
    varies: true,
  },
  'POST /auth/oauth/register': {
    ask: () => ({ body: oauth.REGISTRATION }),
    access: PUBLIC,
    answer: { ...PLAIN, status: 201 },
  },
  'POST /auth/oauth/token': {
    ask: async ({ world }) => ({ body: await oauth.withCode(world) }),
    access: PUBLIC,
    answer: PLAIN,
    uneven: 'a key that the user has allowed, which is noted then, gets its secret',
    varies: true,
  },
  'POST /auth/oauth/revoke': {
    ask: async ({ world }) => ({ body: { token: await oauth.token(world) } }),
    access: PUBLIC,
    answer: PLAIN,
  },
  'GET /auth/oauth/requests/:request': { ask: oauth.request, answer: READ },
  'POST /auth/oauth/requests/:request/allow': { ask: oauth.toAllow, varies: true },
  'POST /auth/oauth/requests/:request/deny': {
    ask: oauth.request,
    uneven: 'nothing comes of what the app asked',
  },
}

/** Names of ids in queries and bodies that never name a row of another workspace, and why. */
export const NO_FOREIGN_IDS: Record<string, string> = {
  externalId: 'the client’s own name for its link or customer',
  customerExternalId: 'the client’s own name for its customer',
  externalIds: 'the client’s own names for its links',
  undoId: 'an operation of another workspace is as unknown as one that was undone',
  clickId:
    'a bare id of another workspace is as unknown as one of no click; signed ones have a test',
  customerId: 'the client’s own name for its customer',
  invoiceId: 'the client’s own name for its invoice',
  eventId: 'an event has no route of its own: as a filter it is a search term',
}

export function nameOf({ method, path }: Pick<Route, 'method' | 'path'>): string {
  return `${method} ${path}`
}

export function factsOf(row: Pick<Route, 'method' | 'path'>): Facts {
  return ROUTES[nameOf(row)] ?? {}
}

/** Routes below /auth need a session; in a resource GET reads, and every other method writes (contract, Scopes). */
export function accessOf(row: Pick<Route, 'method' | 'path'>): Access {
  const { access } = factsOf(row)
  if (access) return access
  const [, segment = ''] = row.path.split('/')
  if (segment === 'auth') return USER
  if (segment === 'operator') return OPERATOR
  const resource = RESOURCES[segment]
  if (!resource) throw new Error(`${segment} has no roles in test/authorization/routes.ts.`)
  const verb = row.method === 'GET' ? 'read' : 'write'
  const role = resource[verb]
  if (resource.scope === null) return { credential: 'session', role }
  return { credential: 'any', role, scope: `${resource.scope}:${verb}` }
}

/** Whether it acts in a workspace; the others act for a user, or for the public. */
export function isResource(row: Pick<Route, 'method' | 'path'>): boolean {
  return accessOf(row).role !== undefined
}

/** A GET without an id lists, a POST to a list creates, a DELETE answers nothing, and all else one object. */
export function answerOf(row: Pick<Route, 'method' | 'path'>, rows: readonly Route[]): Answered {
  const { method, path } = row
  const { answer } = factsOf(row)
  if (answer) return answer
  if (method === 'DELETE') return GONE
  if (method === 'GET') return /\/:\w+$/.test(path) ? READ : PAGED
  const list = rows.find((other) => other.method === 'GET' && other.path === path)
  return method === 'POST' && list && answerOf(list, rows).kind === 'array' ? MADE : READ
}

/** A new user who may ask the route. */
export async function addCaller(world: World, row: Route): Promise<Actor> {
  const caller = await addActor(world)
  if (accessOf(row).operator)
    await world.sql`update users set is_operator = true where id = ${caller.userId}`
  return caller
}

export async function goodRequest(row: Route, at: Stage, caller: Actor): Promise<Asked> {
  return { ...(await requestOf(row, at, caller)), ...(await factsOf(row).ask?.(at, caller)) }
}
