import { invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { slugKeyOf } from '../../platform/facts/slug.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { toName } from '../write/references.ts'
import { toError, toHeader, type Draft } from './drafts.ts'
import type { Layout } from './layout.ts'
import { MAX_ERRORS } from './schema.ts'

type Domain = { id: string; hostname: string; isCaseSensitive: boolean; isDefault: boolean }
type Input = Draft['input']

export type Hosts = { shared: string; domains: readonly Domain[] }
export type UnknownDomain = { domain: string; rows: number }

const DEFAULT = 'default'
const NAME_MAX_CHARS = 253

export async function readHosts(
  tx: Tx,
  { workspaceId }: Principal,
  shared: string,
): Promise<Hosts> {
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
): UnknownDomain[] {
  const counts = new Map<string, number>()
  for (const draft of drafts) {
    if (findHost(draft.input, hosts) !== undefined) continue
    const { domain, domainId } = draft.input
    const name = (domain ?? domainId ?? '').slice(0, NAME_MAX_CHARS)
    const rows = counts.get(name) ?? 0
    counts.set(name, rows + 1)
    draft.isRefused = true
    const message = `${name} is not a domain of this workspace. Add it, or use the option domain to import all rows to one domain.`
    const column = toHeader(layout, domain === undefined ? 'domainId' : 'domain')
    if (rows === 0) draft.errors.push(toError(draft.row, column, message))
  }
  return Array.from(counts, ([domain, rows]) => ({ domain, rows })).slice(0, MAX_ERRORS)
}

export function toAddress(input: Input, slug: string, hosts: Hosts): string {
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
