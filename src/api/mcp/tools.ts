import type { Route } from '../../platform/routes/route.ts'
import { roleAtLeast, scopeCovers, type Principal } from '../../platform/routes/principal.ts'
import { toInputSchema, toOutputSchema, type ObjectSchema } from './schemas.ts'

type Effect = 'adds' | 'changes' | 'deletes'

type Row = {
  name: string
  title: string
  /** Operation ids. Of several, the argument `question` chooses one. */
  asks: string | Readonly<Record<string, string>>
  /** Instead of the description of the route, where it names what a tool does not have. */
  says?: string
  /** Arguments that always have this value. */
  fixed?: Readonly<Record<string, string>>
  /** What it does to the workspace; a GET does nothing. */
  effect?: Effect
  /** A second call with the same arguments changes nothing more. */
  isRepeatable?: true
  /** It sends requests to other servers. */
  reachesOut?: true
  /** Fields of the answer whose text visitors, receivers or files chose. */
  foreignTexts?: readonly string[]
}

/** The title of the destination is often the name of a link. */
const PAGE_TEXTS = ['name']

/** Operations that agents need most; the API has all. */
const ROWS: readonly Row[] = [
  { name: 'search_links', title: 'Search links', asks: 'listLinks', foreignTexts: PAGE_TEXTS },
  { name: 'get_link', title: 'Read a link', asks: 'getLink', foreignTexts: PAGE_TEXTS },
  {
    name: 'create_links',
    title: 'Create links',
    asks: 'createLinks',
    effect: 'adds',
    says: 'Creates 1 to 1,000 links in one transaction. The answer has the error of each row that fails; the other rows are created. A new link is undone by delete_links.',
  },
  {
    name: 'update_links',
    title: 'Update links',
    asks: 'updateLinks',
    effect: 'changes',
    isRepeatable: true,
    says: 'Changes the fields in `data` of up to 1,000 links, named by `ids` or `externalIds`, or of up to 10,000 that a `filter` matches. `meta.undoId` is for undo_links.',
  },
  {
    name: 'delete_links',
    title: 'Delete links',
    asks: 'deleteLinks',
    effect: 'deletes',
    isRepeatable: true,
    says: 'Deletes up to 1,000 links, named by `ids` or `externalIds`, or up to 10,000 that a `filter` matches. `meta.undoId` is for undo_links.',
  },
  {
    name: 'undo_links',
    title: 'Undo a change or deletion of links',
    asks: 'undoBulk',
    effect: 'changes',
    says: 'Undoes update_links or delete_links, once and within an hour: restores deleted links with their slugs and numbers, and the former values of fields. Skips links that were changed since.',
  },
  { name: 'explain_link', title: 'Explain what a visitor of a link gets', asks: 'explainLink' },
  {
    name: 'get_qr_code',
    title: 'Draw the QR code of a link',
    asks: 'getLinkQrCode',
    fixed: { format: 'png' },
  },
  {
    name: 'query_analytics',
    title: 'Ask for clicks and visitors',
    asks: {
      totals: 'getAnalyticsOverview',
      timeseries: 'getTimeseries',
      breakdown: 'getBreakdown',
      top_links: 'getTopLinks',
    },
    says: 'Counts clicks, visitors and conversions of the links that the filters name. `totals` compares them with the time before, `timeseries` has a row for each hour, day, week or month, `breakdown` the labels of one `dimension`, `top_links` the most clicked links.',
    foreignTexts: ['label'],
  },
  {
    name: 'recent_clicks',
    title: 'Read the newest clicks',
    asks: 'listClicks',
    foreignTexts: ['referrer', 'utmSource', 'utmMedium', 'utmCampaign', 'utmTerm', 'utmContent'],
  },
  {
    name: 'list_conversions',
    title: 'List conversions',
    asks: 'listConversions',
    foreignTexts: ['eventId', 'eventName', 'customerId'],
  },
  {
    name: 'record_conversion',
    title: 'Report a conversion',
    asks: 'recordConversions',
    effect: 'adds',
    isRepeatable: true,
    says: 'Stores a conversion and attributes it to a link. The same `eventId` is stored once.',
  },
  { name: 'list_campaigns', title: 'List campaigns', asks: 'listCampaigns' },
  {
    name: 'create_campaign',
    title: 'Create a campaign',
    asks: 'createCampaign',
    effect: 'adds',
  },
  {
    name: 'list_domains',
    title: 'List domains and their status',
    asks: 'listDomains',
    says: 'Pages through the domains of the workspace, with their status, the DNS records to create and what the last check found.',
  },
  {
    name: 'check_import',
    title: 'Check a file of links before an import',
    asks: 'importLinks',
    fixed: { dryRun: 'true' },
    effect: 'adds',
    says: 'Takes a CSV file, or an export of another service, and finds out in the background what an import would create. No link is created. Read the result with get_import.',
  },
  {
    name: 'get_import',
    title: 'Read an import',
    asks: 'getImport',
    foreignTexts: ['errors'],
  },
  {
    name: 'list_endpoints',
    title: 'List webhook endpoints and their health',
    asks: 'listWebhookEndpoints',
    fixed: { stats: '24h' },
    says: 'Lists the webhook endpoints of the workspace with their health and their attempts of the last 24 hours.',
  },
  { name: 'list_deliveries', title: 'List webhook deliveries', asks: 'listWebhookDeliveries' },
  {
    name: 'get_delivery',
    title: 'Read a webhook delivery with its attempts',
    asks: 'getWebhookDelivery',
    foreignTexts: ['responseBody', 'responseHeaders', 'payload'],
  },
  {
    name: 'retry_delivery',
    title: 'Retry a failed webhook delivery',
    asks: 'retryWebhookDelivery',
    effect: 'adds',
    reachesOut: true,
  },
  {
    name: 'replay_events',
    title: 'Deliver past events to an endpoint again',
    asks: 'replayWebhookEvents',
    effect: 'adds',
    reachesOut: true,
  },
]

export const AGENT_OPERATIONS: ReadonlySet<string> = new Set(
  ROWS.flatMap(({ asks }) => (typeof asks === 'string' ? [asks] : Object.values(asks))),
)

export type Tool = Pick<Row, 'fixed' | 'foreignTexts'> & {
  /** By `question`; a tool with one route has it under ''. */
  routes: ReadonlyMap<string, Route>
  /** As `tools/list` shows it. */
  shown: {
    name: string
    title: string
    description: string
    inputSchema: ObjectSchema
    outputSchema?: ObjectSchema
    annotations: Readonly<Record<string, boolean>>
  }
}

export function createTools(routes: readonly Route[]): ReadonlyMap<string, Tool> {
  const byName = new Map(routes.map((route) => [route.name, route]))
  const find = (name: string) => {
    const route = byName.get(name)
    if (!route) throw new Error(`no route has the name ${name}`)
    return route
  }
  return new Map(ROWS.map((row) => [row.name, toTool(row, find)]))
}

function toTool(row: Row, find: (name: string) => Route): Tool {
  const { name, title, asks, says, fixed = {}, foreignTexts = [] } = row
  const named = typeof asks === 'string' ? { '': asks } : asks
  const routes = new Map(
    Object.entries(named).map(([question, route]) => [question, find(route)] as const),
  )
  const [first] = routes.values()
  const outputSchema = toOutputSchema([...routes.values()])
  return {
    fixed,
    foreignTexts,
    routes,
    shown: {
      name,
      title,
      description: says ?? first!.description,
      inputSchema: toInputSchema(routes, { leaveOut: Object.keys(fixed) }),
      ...(outputSchema && { outputSchema }),
      annotations: toAnnotations(row, first!),
    },
  }
}

function toAnnotations({ effect, isRepeatable, reachesOut }: Row, { method }: Route) {
  const isRead = method === 'GET'
  return {
    readOnlyHint: isRead,
    destructiveHint: effect === 'deletes' || effect === 'changes',
    idempotentHint: isRead || isRepeatable === true,
    openWorldHint: reachesOut === true,
  }
}

/** Whether the role and the scopes of the caller allow every route of the tool. */
export function mayUse({ role, scopes }: Principal, { routes }: Tool): boolean {
  return [...routes.values()].every(
    ({ requires }) =>
      roleAtLeast(role, requires.role ?? 'viewer') &&
      (requires.scope === undefined || scopeCovers(scopes, requires.scope)),
  )
}
