import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { UTM_FIELDS, type Utm } from '../utm.ts'
import { readDomains, type LinkDomain } from './domains.ts'
import type { LinkRow } from '../link/row.ts'
import type { UpdateLink } from '../link/schema.ts'
import { imagesOf, leaveOutImages, mediaOfCard } from './images.ts'

/** What requests name: folders, campaigns, UTM templates and images by their ids, and domains. */
export type Groups = {
  readonly folders: ReadonlySet<string>
  readonly campaigns: ReadonlyMap<string, Utm>
  readonly templates: ReadonlyMap<string, Utm>
  readonly images: ReadonlySet<string>
  readonly domains: readonly LinkDomain[]
  /** Ids of other workspaces. */
  readonly foreign: ReadonlySet<string>
}

type GroupInput = Pick<
  UpdateLink,
  'folderId' | 'campaignId' | 'utmTemplateId' | 'card' | 'qrLogoMediaId'
>
type Input = GroupInput & Parameters<typeof readDomains>[2][number]
type Row = Utm & { kind: 'folder' | 'campaign' | 'template'; id: string }

const FIELDS = {
  folderId: 'folder',
  campaignId: 'campaign',
  utmTemplateId: 'UTM template',
} as const
type GroupField = keyof typeof FIELDS
const NOUNS = { ...FIELDS, 'card.image': 'image', qrLogoMediaId: 'image' } as const
const TABLES = ['folders', 'campaigns', 'utm_templates', 'domains', 'media']
const FIELD_NAMES = Object.keys(FIELDS) as GroupField[]

/**
 * Reads the groups that the requests name, and locks the domains. The caller locks links afterwards.
 * @param linkIds links that the requests change
 */
export async function readGroups(
  tx: Tx,
  principal: Principal,
  inputs: readonly Input[],
  linkIds: readonly string[] = [],
): Promise<Groups> {
  const [domains, groups] = await allOf([
    readDomains(tx, principal, inputs, linkIds),
    readNamed(tx, principal, inputs),
  ])
  const known = new Set(domains.map(({ id }) => id))
  const missing = inputs.flatMap(({ domainId }) =>
    typeof domainId === 'string' && !known.has(domainId) ? [domainId] : [],
  )
  const foreign = await readForeign(tx, TABLES, [...groups.unknown, ...missing])
  return { ...groups, domains, foreign }
}

type Named = Pick<Groups, 'folders' | 'campaigns' | 'templates' | 'images'> & {
  /** Ids that no group of the workspace has. */
  unknown: readonly string[]
}

async function readNamed(
  tx: Tx,
  { workspaceId }: Principal,
  inputs: readonly GroupInput[],
): Promise<Named> {
  const named = (field: GroupField) => [...new Set(inputs.flatMap((input) => input[field] ?? []))]
  const folderIds = named('folderId')
  const campaignIds = named('campaignId')
  const templateIds = named('utmTemplateId')
  const imageIds = [...new Set(inputs.flatMap(imagesOf))]
  const ids = [...folderIds, ...campaignIds, ...templateIds, ...imageIds]
  if (ids.length === 0)
    return {
      folders: new Set(),
      campaigns: new Map(),
      templates: new Map(),
      images: new Set(),
      unknown: [],
    }
  const images = await lockImages(tx, workspaceId, imageIds)
  const rows = await tx<Row[]>`
    select 'folder' as kind, id, null as utm_source, null as utm_medium, null as utm_campaign,
      null as utm_term, null as utm_content
    from folders where workspace_id = ${workspaceId} and id = any(${folderIds}::text[])
    union all
    select 'campaign', id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
    from campaigns where workspace_id = ${workspaceId} and id = any(${campaignIds}::text[])
    union all
    select 'template', id, utm_source, utm_medium, utm_campaign, utm_term, utm_content
    from utm_templates where workspace_id = ${workspaceId} and id = any(${templateIds}::text[])`
  const found = (kind: Row['kind']) => rows.filter((row) => row.kind === kind)
  const known = new Set([...rows.map(({ id }) => id), ...images])
  return {
    folders: new Set(found('folder').map(({ id }) => id)),
    campaigns: new Map(found('campaign').map((row) => [row.id, row])),
    templates: new Map(found('template').map((row) => [row.id, row])),
    images,
    unknown: ids.filter((id) => !known.has(id)),
  }
}

/** Locks images, so that none is deleted before the links are written. */
async function lockImages(tx: Tx, workspaceId: string, ids: readonly string[]) {
  if (ids.length === 0) return new Set<string>()
  const rows = await tx<{ id: string }[]>`
    select id from media where workspace_id = ${workspaceId} and id = any(${[...ids]}::text[])
    order by id for key share`
  return new Set(rows.map(({ id }) => id))
}

/**
 * The columns that follow from the groups of a request. UTM values are resolved when the link is written: explicit
 * fields first, then the template, then the link's own, then the campaign. Later edits of template and campaign do
 * not change the link.
 * @param explicit the UTM columns of the request
 * @throws ApiError VALIDATION_ERROR for an unknown id, FORBIDDEN for one of another workspace
 */
export function toGroupColumns(
  input: GroupInput,
  groups: Groups,
  before: LinkRow | null,
  explicit: Partial<Utm>,
): Partial<LinkRow> {
  const columns: { -readonly [name in keyof LinkRow]?: LinkRow[name] } = {}
  if (input.folderId !== undefined)
    columns.folderId = requireKnown('folderId', input.folderId, groups.folders, groups)
  if (input.campaignId !== undefined)
    columns.campaignId = requireKnown('campaignId', input.campaignId, groups.campaigns, groups)
  requireKnown('card.image', mediaOfCard(input.card), groups.images, groups)
  requireKnown('qrLogoMediaId', input.qrLogoMediaId, groups.images, groups)
  const templateId = requireKnown('utmTemplateId', input.utmTemplateId, groups.templates, groups)
  const template = templateId === null ? undefined : groups.templates.get(templateId)
  const campaign = columns.campaignId ? groups.campaigns.get(columns.campaignId) : undefined
  if (!template && !campaign) return columns
  for (const name of UTM_FIELDS) {
    if (explicit[name] !== undefined) continue
    const value = template?.[name] ?? before?.[name] ?? campaign?.[name] ?? null
    if (value !== (before?.[name] ?? null)) columns[name] = value
  }
  return columns
}

function requireKnown(
  path: keyof typeof NOUNS,
  id: string | null | undefined,
  known: { has(id: string): boolean },
  { foreign }: Groups,
): string | null {
  if (id === undefined || id === null || known.has(id)) return id ?? null
  const noun = NOUNS[path]
  if (foreign.has(id))
    throw new ApiError('FORBIDDEN', `${path} belongs to another workspace.`, [
      { path, message: `This ${noun} belongs to another workspace.`, code: 'foreign' },
    ])
  const article = noun === 'image' ? 'an' : 'a'
  throw invalid(path, `${path} must be the id of ${article} ${noun} of this workspace.`, 'unknown')
}

/**
 * Refuses filters by groups of other workspaces; unknown ones match nothing (spec, Authentication 7).
 * @throws ApiError FORBIDDEN
 */
export async function refuseForeignGroups(
  tx: Tx,
  principal: Principal,
  filters: GroupInput & { domainId?: string | undefined },
): Promise<void> {
  const { domainId } = filters
  const own = domainId
    ? await tx`select from domains where id = ${domainId} and workspace_id = ${principal.workspaceId}`
    : []
  const { unknown } = await readNamed(tx, principal, [filters])
  const missing = domainId && own.length === 0 ? [...unknown, domainId] : unknown
  const foreign = await readForeign(tx, TABLES, missing)
  for (const field of [...FIELD_NAMES, 'domainId'] as const)
    if (foreign.has(filters[field] ?? '')) throw foreignId(field)
}

/**
 * The former fields of a link, without folders, campaigns, domains and images that are gone.
 * @param origin of the short URLs
 */
export function toRestored(input: UpdateLink, groups: Groups, origin: string): UpdateLink {
  const { folderId, campaignId, domainId, ...others } = input
  const isDomainKept = domainId === null || groups.domains.some((domain) => domain.id === domainId)
  return {
    ...others,
    ...(folderId !== undefined && { folderId }),
    ...(campaignId !== undefined && { campaignId }),
    ...(domainId !== undefined && isDomainKept && { domainId }),
    ...(folderId && !groups.folders.has(folderId) && { folderId: null }),
    ...(campaignId && !groups.campaigns.has(campaignId) && { campaignId: null }),
    ...leaveOutImages(input, groups.images, origin),
  }
}
