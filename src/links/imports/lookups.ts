import { ApiError, invalid } from '../../platform/core/errors.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { inWorkspace, type Tx } from '../../platform/storage/postgres/postgres.ts'
import type { LinkDeps, ShortHost } from '../link/dependencies.ts'
import { shortUrlOf } from '../../platform/facts/short-url.ts'
import { toAddressKey } from '../link/addresses.ts'
import {
  chooseDomain,
  readGroups,
  toDomainColumns,
  toName,
  type Groups,
} from '../write/references.ts'
import { toError, toHeader, type Draft, type Layout } from './drafts.ts'
import { checkName, toNameKey } from '../../platform/resources/field-checks.ts'
import { createFolder } from '../folders/folders.ts'
import { MAX_ERRORS } from './schema.ts'

export type ExistingLink = {
  id: string
  externalId: string | null
  folderId: string | null
  campaignId: string | null
  slug: string
  hostname: string | null
  destinationUrl: string
}

type FoundLink = ExistingLink & { foundBy: 'externalId' | 'slug' | 'id' }
type Address = { domainId: string; key: string }

export async function findExisting(
  tx: Tx,
  principal: Principal,
  drafts: readonly Draft[],
  host: ShortHost,
): Promise<(FoundLink | null)[]> {
  const { workspaceId } = principal
  const bySlug = await findBySlug(tx, principal, drafts, host)
  const externalIds = drafts.flatMap(({ input }) => input.externalId?.trim() ?? [])
  const ids = [...drafts.map(({ id }) => id), ...bySlug].filter((id) => id !== null)
  const rows = await tx<ExistingLink[]>`
    select l.id, l.external_id, l.folder_id, l.campaign_id, l.slug, d.hostname, l.destination_url
    from links l left join domains d on d.id = l.domain_id and d.workspace_id = l.workspace_id
    where l.workspace_id = ${workspaceId} and l.id in (
      select id from links
      where workspace_id = ${workspaceId} and external_id = any(${externalIds}::text[])
      union
      select unnest(${ids}::text[]))`
  const byExternalId = new Map(rows.map((row) => [row.externalId, row]))
  const byId = new Map(rows.map((row) => [row.id, row]))
  return drafts.map(({ input, id }, i) => {
    const found = [
      ['externalId', input.externalId ? byExternalId.get(input.externalId.trim()) : undefined],
      ['slug', byId.get(bySlug[i] ?? '')],
      ['id', byId.get(id ?? '')],
    ] as const
    for (const [foundBy, link] of found) if (link) return { ...link, foundBy }
    return null
  })
}

async function findBySlug(tx: Tx, principal: Principal, drafts: readonly Draft[], host: ShortHost) {
  const inputs = drafts.map(({ input }) => input)
  if (!inputs.some(({ slug }) => slug)) return inputs.map(() => null)
  const groups = await readGroups(tx, principal, inputs)
  const addresses = inputs.map((input) => toAddress(input, host, groups))
  const known = addresses.filter((address) => address !== null)
  const rows = await tx<(Address & { linkId: string })[]>`
    select a.domain_id, a.slug_key as key, a.link_id
    from unnest(${known.map(({ domainId }) => domainId)}::text[], ${known.map(({ key }) => key)}::text[])
      as wanted (domain_id, slug_key)
    join link_addresses a on a.domain_id = wanted.domain_id and a.slug_key = wanted.slug_key
    where a.workspace_id = ${principal.workspaceId} and a.link_id is not null and not a.is_alias`
  const byAddress = new Map(rows.map((row) => [toAddressKey(row), row.linkId]))
  return addresses.map((address) => address && (byAddress.get(toAddressKey(address)) ?? null))
}

function toAddress(input: Draft['input'], host: ShortHost, groups: Groups): Address | null {
  if (!input.slug) return null
  try {
    const domain = chooseDomain(input, null, host, groups) ?? null
    const { domainId, isCaseSensitive } = toDomainColumns(domain)
    return { domainId: domainId ?? '', key: slugKeyOf(input.slug, isCaseSensitive) }
  } catch (error) {
    // The write refuses the row.
    if (error instanceof ApiError) return null
    throw error
  }
}

type Group = 'folder' | 'campaign'
type Column = (field: string) => string | null
type Found = ReadonlyMap<string, string | ApiError>

const IDS = { folder: /^fld_[0-9A-Z]{26}$/, campaign: /^cmp_[0-9A-Z]{26}$/ }
const NAME_MAX_CHARS = 255

/** Names become ids. Missing folders are created; campaigns are not, since they have dates and UTM values. */
export async function resolveGroups(
  deps: LinkDeps,
  principal: Principal,
  drafts: readonly Draft[],
  { isDry, column }: { isDry: boolean; column: Column },
): Promise<Draft[]> {
  const found = {
    folder: await findFolders(deps, principal, namesOf(drafts, 'folder'), isDry),
    campaign: await findCampaigns(deps, principal, namesOf(drafts, 'campaign')),
  }
  return drafts.map((draft) => {
    const input = { ...draft.input }
    const errors = [...draft.errors]
    for (const group of ['folder', 'campaign'] as const) {
      const key = `${group}Id` as const
      const name = nameOf(draft, group)
      if (name === null) continue
      const id = found[group].get(name)
      delete input[key]
      if (typeof id === 'string') input[key] = id
      else if (id)
        errors.push(toError(draft.row, column(group) ?? column(key), id.message, id.code))
    }
    return { ...draft, input, errors }
  })
}

function nameOf(draft: Draft, group: Group): string | null {
  const name = draft[group] ?? draft.input[`${group}Id`]?.trim() ?? null
  return name === null || IDS[group].test(name) ? null : name
}

function namesOf(drafts: readonly Draft[], group: Group): string[] {
  const names = drafts.map((draft) => nameOf(draft, group)).filter((name) => name !== null)
  return [...new Set(names)]
}

/** @returns no entry for a folder that a dry run would create */
async function findFolders(
  deps: LinkDeps,
  principal: Principal,
  names: readonly string[],
  isDry: boolean,
): Promise<Found> {
  if (names.length === 0) return new Map()
  const ids = await readFolders(deps, principal, names)
  const found = new Map<string, string | ApiError>()
  for (const name of names)
    try {
      let id = ids.get(toNameKey(name))
      if (id === undefined) {
        const checked = checkName(name, 'folder', NAME_MAX_CHARS)
        if (isDry) continue
        id = await createOrRead(deps, principal, checked)
        ids.set(toNameKey(checked), id)
      }
      found.set(name, id)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      found.set(name, error)
    }
  return found
}

async function createOrRead(deps: LinkDeps, principal: Principal, name: string): Promise<string> {
  try {
    return (await createFolder(deps, principal, { name })).id
  } catch (error) {
    // A request may have created it in the meantime.
    const id = (await readFolders(deps, principal, [name])).get(toNameKey(name))
    if (id === undefined) throw error
    return id
  }
}

async function readFolders(
  { sql }: LinkDeps,
  { workspaceId }: Principal,
  names: readonly string[],
): Promise<Map<string, string>> {
  const keys = names.map(toNameKey)
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; nameKey: string }[]>`
      select id, name_key from folders
      where workspace_id = ${workspaceId} and name_key = any(${keys}::text[])`,
  )
  return new Map(rows.map(({ id, nameKey }) => [nameKey, id]))
}

async function findCampaigns(
  { sql }: LinkDeps,
  { workspaceId }: Principal,
  names: readonly string[],
): Promise<Found> {
  if (names.length === 0) return new Map()
  const rows = await inWorkspace(
    sql,
    workspaceId,
    (tx) => tx<{ id: string; name: string }[]>`
      select id, name from campaigns
      where workspace_id = ${workspaceId} and name = any(${[...names]}::text[])`,
  )
  return new Map<string, string | ApiError>(
    names.map((name) => {
      const ids = rows.filter((row) => row.name === name).map(({ id }) => id)
      if (ids.length === 1) return [name, ids[0]!]
      const shown = `"${name.slice(0, 100)}"`
      const message =
        ids.length === 0
          ? `There is no campaign ${shown}; create it first, or leave the cell empty.`
          : `There are ${ids.length} campaigns ${shown}; write the id of one of them.`
      return [name, new ApiError('VALIDATION_ERROR', message)]
    }),
  )
}

type Domain = { id: string; hostname: string; isCaseSensitive: boolean; isDefault: boolean }
type Input = Draft['input']

export type Hosts = { shared: string; domains: readonly Domain[] }
export type UnknownDomain = { domain: string; rows: number }

const DEFAULT = 'default'
const HOST_MAX_CHARS = 253

export async function readHosts(tx: Tx, { workspaceId }: Principal, shared: string) {
  const domains = await tx<Domain[]>`
    select id, hostname, case_sensitive as is_case_sensitive, is_default from domains
    where workspace_id = ${workspaceId}`
  return { shared, domains }
}

export function moveAll(drafts: readonly Draft[], hosts: Hosts, chosen: string): void {
  const name = toName(chosen)
  if (name !== DEFAULT && findHost({ domain: name }, hosts) === undefined)
    throw invalid(
      'domain',
      `domain must be ${DEFAULT}, ${hosts.shared} or the host of a domain of this workspace.`,
      'unknown',
    )
  for (const draft of drafts) {
    const { domain: _domain, domainId: _id, ...input } = draft.input
    draft.input = name === DEFAULT ? input : { ...input, domain: name }
  }
}

/** Only the first row of each unknown domain gets an error: a foreign file has its domain in every row. */
export function refuseUnknown(
  drafts: readonly Draft[],
  hosts: Hosts,
  layout: Layout,
  before: readonly UnknownDomain[] = [],
): UnknownDomain[] {
  const counts = new Map(before.map(({ domain, rows }) => [domain, rows]))
  for (const draft of drafts) {
    if (findHost(draft.input, hosts) !== undefined) continue
    const { domain, domainId } = draft.input
    const name = (domain ?? domainId ?? '').slice(0, HOST_MAX_CHARS)
    const rows = counts.get(name) ?? 0
    counts.set(name, rows + 1)
    draft.isRefused = true
    const message = `${name} is not a domain of this workspace. Add it, or use the option domain to import all rows to one domain.`
    const column = toHeader(layout, domain === undefined ? 'domainId' : 'domain')
    if (rows === 0) draft.errors.push(toError(draft.row, column, message))
  }
  return Array.from(counts, ([domain, rows]) => ({ domain, rows })).slice(0, MAX_ERRORS)
}

export function toHostAddress(input: Input, slug: string, hosts: Hosts): string {
  const domain = findHost(input, hosts) ?? null
  return `${domain?.id ?? ''}\n${slugKeyOf(slug, domain?.isCaseSensitive ?? false)}`
}

function findHost({ domain, domainId }: Input, hosts: Hosts): Domain | null | undefined {
  if (domainId) return hosts.domains.find(({ id }) => id === domainId)
  if (!domain) return hosts.domains.find(({ isDefault }) => isDefault) ?? null
  const name = toName(domain)
  return (
    hosts.domains.find(({ hostname }) => hostname === name) ??
    (name === hosts.shared ? null : undefined)
  )
}

/** Refuses links whose short URL an earlier piece of the same import has. */
export async function refuseRepeatedOf(
  tx: Tx,
  { workspaceId }: Principal,
  jobId: string,
  drafts: readonly Draft[],
  { hosts, host, layout }: { hosts: Hosts; host: ShortHost; layout: Layout },
): Promise<void> {
  const urlOf = ({ input, isRefused }: Draft) =>
    isRefused || !input.slug
      ? null
      : shortUrlOf(host, findHost(input, hosts)?.hostname ?? null, input.slug)
  const rows = await tx<{ row: number; shortUrl: string }[]>`
    select row, short_url from import_rows
    where workspace_id = ${workspaceId} and job_id = ${jobId}
      and short_url = any(${drafts.map(urlOf).filter((url) => url !== null)}::text[])`
  const found = new Map(rows.map(({ row, shortUrl }) => [shortUrl, row]))
  for (const draft of drafts) {
    const first = found.get(urlOf(draft) ?? '')
    const message = `Row ${first} also has this slug. Import the domains one by one, or add them.`
    if (first !== undefined)
      draft.errors.push(toError(draft.row, toHeader(layout, 'slug'), message, 'CONFLICT'))
  }
}
