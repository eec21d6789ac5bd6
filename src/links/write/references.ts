import { ApiError, invalid, itIs } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { foreignId, readForeign } from '../../platform/resources/ownership.ts'
import { allOf, type Tx } from '../../platform/storage/postgres/postgres.ts'
import { UTM_FIELDS, type Utm } from '../labels.ts'
import type { LinkRow } from '../link/rows.ts'
import type { UpdateLink } from '../link/schema.ts'
import type { ShortHost } from '../link/dependencies.ts'
import type { CardInput } from '../options/option-shapes.ts'

export type Groups = {
  readonly folders: ReadonlySet<string>
  readonly campaigns: ReadonlyMap<string, Utm>
  readonly templates: ReadonlyMap<string, Utm>
  readonly images: ReadonlySet<string>
  readonly domains: readonly LinkDomain[]
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

/** Locks the domains; the caller locks links afterwards. */
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

/** UTM values are resolved once: explicit fields, then the template, then the link's own, then the campaign. */
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

/** Unknown filters match nothing (spec, Authentication 7). */
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

export type LinkDomain = {
  readonly id: string
  readonly hostname: string
  readonly isCaseSensitive: boolean
  readonly isDefault: boolean
  readonly isServed: boolean
}

export type DomainInput = Pick<UpdateLink, 'domainId' | 'domain'>
type UrlInput = Pick<
  UpdateLink,
  'destinationUrl' | 'expiredUrl' | 'iosDeepLink' | 'androidDeepLink' | 'rules' | 'variants'
>
type DomainColumns = Pick<LinkRow, 'domainId' | 'hostname' | 'isCaseSensitive'>

type Known = { readonly domains: readonly LinkDomain[]; readonly foreign: ReadonlySet<string> }

/** Locks domains before links: changing a case rule and deleting a domain lock the domain first too. */
export function readDomains(
  tx: Tx,
  { workspaceId }: Principal,
  inputs: readonly (DomainInput & UrlInput)[],
  linkIds: readonly string[] = [],
): Promise<readonly LinkDomain[]> {
  const ids = inputs.flatMap(({ domainId }) => domainId ?? [])
  const names = inputs.flatMap((input) => [
    ...(typeof input.domain === 'string' ? [toName(input.domain)] : []),
    ...toUrlHosts(input),
  ])
  return tx<LinkDomain[]>`
    select d.id, d.hostname, d.case_sensitive as is_case_sensitive, d.is_default,
      d.status in ('verified', 'misconfigured') as is_served
    from domains d where d.workspace_id = ${workspaceId} and d.id in (
      select id from domains where workspace_id = ${workspaceId} and is_default
      union
      select id from domains where workspace_id = ${workspaceId} and id = any(${ids}::text[])
      union
      select id from domains
      where workspace_id = ${workspaceId} and hostname = any(${[...new Set(names)]}::text[])
      union
      select domain_id from links
      where workspace_id = ${workspaceId} and id = any(${[...linkIds]}::text[]))
    order by d.id for key share of d`
}

/** Null: the shared host; undefined: no change. A new link gets the default domain. */
export function chooseDomain(
  input: DomainInput,
  before: Pick<LinkRow, 'domainId'> | null,
  host: Pick<ShortHost, 'domain'>,
  groups: Known,
): LinkDomain | null | undefined {
  const named = chooseByName(input.domain, host, groups)
  const chosen = chooseById(input.domainId, before, groups)
  if (named !== undefined && chosen !== undefined && named !== chosen)
    throw invalid('domain', 'domain must be the host of domainId; leave out one of them.')
  const domain = named === undefined ? chosen : named
  if (before === null && domain === undefined)
    return groups.domains.find(({ isDefault }) => isDefault) ?? null
  return domain === undefined || (domain?.id ?? null) === before?.domainId ? undefined : domain
}

function chooseById(
  id: string | null | undefined,
  before: object | null,
  { domains, foreign }: Known,
): LinkDomain | null | undefined {
  if (id === undefined) return undefined
  if (id === null) return before === null ? undefined : null
  const found = domains.find((domain) => domain.id === id)
  if (found) return found
  if (foreign.has(id))
    throw new ApiError('FORBIDDEN', 'domainId belongs to another workspace.', [
      { path: 'domainId', message: 'This domain belongs to another workspace.', code: 'foreign' },
    ])
  throw invalid('domainId', 'domainId must be the id of a domain of this workspace.', 'unknown')
}

function chooseByName(
  name: string | null | undefined,
  host: Pick<ShortHost, 'domain'>,
  { domains }: Pick<Known, 'domains'>,
): LinkDomain | null | undefined {
  if (name === undefined || name === null) return undefined
  const hostname = toName(name)
  const found = domains.find((domain) => domain.hostname === hostname)
  if (found) return found
  if (hostname === host.domain) return null
  throw invalid(
    'domain',
    `domain must be ${host.domain} or the host of a domain of this workspace${itIs('domain', name)}.`,
    'unknown',
  )
}

export function toDomainColumns(domain: LinkDomain | null): DomainColumns {
  if (domain === null) return { domainId: null, hostname: null, isCaseSensitive: false }
  const { id, hostname, isCaseSensitive } = domain
  return { domainId: id, hostname, isCaseSensitive }
}

export function createOwnTest(host: ShortHost, { domains }: Pick<Known, 'domains'>) {
  const names = new Set(domains.filter(({ isServed }) => isServed).map(({ hostname }) => hostname))
  return (url: URL) => host.isOwn(url) || names.has(url.hostname.replace(/\.$/, ''))
}

function toUrlHosts(input: UrlInput): string[] {
  const urls = [
    ...[input.destinationUrl, input.expiredUrl, input.iosDeepLink, input.androidDeepLink],
    ...[...(input.rules ?? []), ...(input.variants ?? [])].map(
      ({ destinationUrl }) => destinationUrl,
    ),
  ]
  const hosts = urls.flatMap((url) => (url ? (URL.parse(url.trim())?.hostname ?? []) : []))
  return [...new Set(hosts.map((host) => host.replace(/\.$/, '')).filter(Boolean))]
}

export function toName(host: string): string {
  return host.trim().toLowerCase().replace(/\.$/, '')
}

const MEDIA_ID = /^med_\w+$/
const MEDIA_ADDRESS = /\/media-public\/(med_[0-9A-Z]{26})(?:\?|$)/

type Shown = {
  card?: CardInput | null | undefined
  qrLogoMediaId?: string | null | undefined
}

export function isMediaId(image: string): boolean {
  return MEDIA_ID.test(image)
}

function mediaOfCard(card: CardInput | null | undefined): string | null {
  return card?.image && isMediaId(card.image) ? card.image : null
}

/** The ids in these fields, and the id in a public address of the card. */
export function imagesOf({ card, qrLogoMediaId }: Shown): string[] {
  return [mediaOfCard(card), mediaOfAddress(card?.image), qrLogoMediaId].filter(
    (id) => typeof id === 'string',
  )
}

export function leaveOutImages(
  { card, qrLogoMediaId }: Shown,
  known: ReadonlySet<string>,
  origin: string,
): { card?: CardInput | null; qrLogoMediaId?: null } {
  const image = card?.image
  const shown = image?.startsWith(`${origin}/`) ? mediaOfAddress(image) : null
  return {
    ...(shown !== null &&
      !known.has(shown) && {
        card: card!.title || card!.description ? { ...card!, image: null } : null,
      }),
    ...(qrLogoMediaId && !known.has(qrLogoMediaId) && { qrLogoMediaId: null }),
  }
}

function mediaOfAddress(image: string | null | undefined): string | null {
  return MEDIA_ADDRESS.exec(image ?? '')?.[1] ?? null
}
