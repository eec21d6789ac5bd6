import * as stage from './stage.ts'
import {
  addDeadLetter,
  addEndpoint,
  addInvitation,
  addKey,
  addLink,
  addPerson,
  type Actor,
  type Stage,
} from './stage.ts'

/** One good request of a route, by what the table does not say. */
export type Asked = {
  params?: Record<string, string>
  query?: Record<string, string>
  body?: unknown
  /** Cookies beside that of the session. */
  cookie?: string
}

export type Row = {
  /** Makes whatever the request needs, anew. */
  ask: (stage: Stage, caller: Actor) => Promise<Asked> | Asked
  /** What another workspace calls its own, by the place where this route takes it. */
  foreign?: Record<string, (home: Stage) => Promise<string> | string>
  /** Refused by a plan that includes nothing. */
  needsPlan?: boolean
  /** Ends the workspace, so that each cell gets one of its own. */
  endsWorkspace?: boolean
}

const nothing = () => ({})
const link = async (at: Stage) => ({ params: { id: await addLink(at) } })
const endpoint = async (at: Stage) => ({ params: { id: await addEndpoint(at) } })
const delivery = async (at: Stage) => ({ params: { deliveryId: await addDeadLetter(at) } })
const key = async (at: Stage, caller: Actor) => ({ params: { id: await addKey(at, caller) } })
const workspace = (at: Stage) => ({ params: { id: at.workspaceId } })
const member = async (at: Stage) => {
  const { userId } = await addPerson(at.world)
  await stage.addMember(at, userId, 'viewer')
  return { params: { userId } }
}
const invitation = async (at: Stage) => ({ params: { id: await addInvitation(at) } })
const since = '2026-01-01T00:00:00.000Z'
const until = '2100-01-01T00:00:00.000Z'

/**
 * How to ask each resource route, by method and path. A route that is missing here fails the
 * matrix, and so does a row whose route is gone.
 */
export const ROWS: Record<string, Row> = {
  'POST /links': { ask: () => ({ body: stage.NEW_LINK }), needsPlan: true },
  'GET /links': { ask: nothing },
  'GET /links/:id': { ask: link },
  'PATCH /links/:id': { ask: async (at) => ({ ...(await link(at)), body: { name: 'New' } }) },
  'DELETE /links/:id': { ask: link },
  'GET /analytics/links/:id': { ask: link },

  ...Object.fromEntries(
    ['/webhooks', '/webhooks/endpoints'].flatMap((path): [string, Row][] => [
      [`GET ${path}`, { ask: nothing }],
      [`POST ${path}`, { ask: () => ({ body: stage.NEW_ENDPOINT }), needsPlan: true }],
    ]),
  ),
  'GET /webhooks/endpoints/:id': { ask: endpoint },
  'PATCH /webhooks/endpoints/:id': {
    ask: async (at) => ({ ...(await endpoint(at)), body: { description: 'New' } }),
    needsPlan: true,
  },
  'DELETE /webhooks/endpoints/:id': { ask: endpoint },
  'GET /webhooks/endpoints/:id/secret': { ask: endpoint },
  'POST /webhooks/endpoints/:id/secret/rotate': { ask: endpoint },
  'POST /webhooks/endpoints/:id/test': { ask: endpoint, needsPlan: true },
  'POST /webhooks/endpoints/:id/replay': {
    ask: async (at) => ({
      ...(await endpoint(at)),
      body: { since, until, events: ['link.created'] },
    }),
    needsPlan: true,
  },
  'GET /webhooks/deliveries': {
    ask: nothing,
    foreign: { 'query.endpointId': (home) => addEndpoint(home) },
  },
  'POST /webhooks/deliveries/retry': {
    ask: async (at) => {
      await addDeadLetter(at)
      return { body: {} }
    },
    foreign: { 'body.endpointId': (home) => addEndpoint(home) },
    needsPlan: true,
  },
  'GET /webhooks/deliveries/:deliveryId': { ask: delivery },
  'POST /webhooks/deliveries/:deliveryId/retry': { ask: delivery, needsPlan: true },
  'GET /webhooks/events': { ask: nothing },
  'GET /webhooks/listen': { ask: nothing, needsPlan: true },
  'POST /webhooks/dispatch': {
    ask: async (at) => {
      await stage.addEndpoint(at, 'active')
      return { body: { type: 'domain.verified', payload: { id: 'dom_sample' } } }
    },
    needsPlan: true,
  },

  'POST /api-keys': { ask: () => ({ body: { name: 'Fresh' } }), needsPlan: true },
  'GET /api-keys': { ask: nothing },
  'GET /api-keys/:id': { ask: key },
  'PATCH /api-keys/:id': {
    ask: async (at, caller) => ({ ...(await key(at, caller)), body: { name: 'New' } }),
  },
  'POST /api-keys/:id/rotate': { ask: key },
  'DELETE /api-keys/:id': { ask: key },

  'GET /workspaces/:id': { ask: workspace },
  'PATCH /workspaces/:id': {
    ask: (at) => ({ ...workspace(at), body: { name: `Renamed ${stage.freshEmail()}` } }),
  },
  'DELETE /workspaces/:id': {
    ask: async (at) => {
      const [row] = await at.world.sql<{ name: string }[]>`
        select name from workspaces where id = ${at.workspaceId}`
      return { ...workspace(at), body: { confirm: row!.name } }
    },
    endsWorkspace: true,
  },

  'GET /members': { ask: nothing },
  'PATCH /members/:userId': {
    ask: async (at) => ({ ...(await member(at)), body: { role: 'member' } }),
  },
  'DELETE /members/:userId': { ask: member },

  'GET /invitations': { ask: nothing },
  'POST /invitations': {
    ask: () => ({ body: { email: stage.freshEmail(), role: 'viewer' } }),
    needsPlan: true,
  },
  'GET /invitations/:id': { ask: invitation },
  'DELETE /invitations/:id': { ask: invitation },

  'GET /audit-log': {
    ask: nothing,
    foreign: { 'query.actorId': ({ cast }) => cast.owner.userId, 'query.targetId': addLink },
    needsPlan: true,
  },
  'GET /security-log': {
    ask: nothing,
    foreign: {
      'query.actorId': ({ cast }) => cast.owner.userId,
      'query.userId': ({ cast }) => cast.member.userId,
    },
  },

  'GET /plans': { ask: nothing },
  'GET /billing/subscription': { ask: nothing },
  'GET /billing/usage': { ask: nothing },
  'GET /billing/invoices': { ask: nothing },
  'GET /billing/payment-methods': { ask: nothing },
  'POST /billing/checkout': { ask: () => ({ body: { plan: 'self_hosted', interval: 'monthly' } }) },
  'POST /billing/portal': { ask: nothing },
}

/** Names of ids in queries and bodies that can name nothing of another workspace, and why. */
export const NO_FOREIGN_IDS: Record<string, string> = {
  domainId: 'nothing of this kind is built',
  campaignId: 'nothing of this kind is built',
  folderId: 'nothing of this kind is built',
  utmTemplateId: 'nothing of this kind is built',
  externalId: 'the client’s own name for its link',
}
