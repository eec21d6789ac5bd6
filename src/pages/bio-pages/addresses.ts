import { ApiError, invalid } from '../../platform/core/errors.ts'
import type { Principal } from '../../platform/routes/principal.ts'
import { toPageSlug } from '../../platform/facts/bio-page.ts'
import { checkSlug, slugKeyOf } from '../../platform/facts/slug.ts'
import type { Tx } from '../../platform/storage/postgres/postgres.ts'
import { readForeign } from '../../platform/resources/ownership.ts'
import {
  announceLinks,
  freeAddresses,
  takePageAddresses,
  toAddressKey,
  type Address,
} from '../../links/link/addresses.ts'
import { columnsOf, withDomain, type PageColumns, type PageRow } from './row.ts'
import type { UpdateBioPage } from './schema.ts'
import type { LinkDeps } from '../../links/link/dependencies.ts'
import type { NotMoved } from '../../links/write/change.ts'
import { changeTime } from '../../platform/resources/versions.ts'

export type PageHost = {
  domainId: string | null
  isCaseSensitive: boolean
  rootRedirectUrl: string | null
}
type Placed = Pick<PageColumns, 'id' | 'slug' | 'isRoot'>

const SHARED_HOST: PageHost = {
  domainId: null,
  isCaseSensitive: false,
  rootRedirectUrl: null,
}
const ROOT_KEY = ''

export async function readHost(tx: Tx, principal: Principal, domainId: string | null) {
  if (domainId === null) return SHARED_HOST
  const [row] = await tx<PageHost[]>`
    select id as domain_id, case_sensitive as is_case_sensitive, root_redirect_url from domains
    where id = ${domainId} and workspace_id = ${principal.workspaceId} for key share`
  if (row) return row
  const foreign = await readForeign(tx, ['domains'], [domainId])
  if (foreign.has(domainId))
    throw new ApiError('FORBIDDEN', 'domainId belongs to another workspace.', [
      { path: 'domainId', message: 'This domain belongs to another workspace.', code: 'foreign' },
    ])
  throw invalid('domainId', 'domainId must be the id of a domain of this workspace.', 'unknown')
}

export function checkPlace(
  input: Pick<UpdateBioPage, 'slug' | 'isRoot' | 'domainId'>,
  before: PageColumns | null,
  host: PageHost,
): Pick<PageColumns, 'slug' | 'isRoot' | 'domainId'> {
  const isMoved = before !== null && before.domainId !== host.domainId
  const isRoot = input.isRoot ?? (isMoved ? false : (before?.isRoot ?? false))
  if (isRoot && host.domainId === null)
    throw invalid('isRoot', 'isRoot needs a domainId: the shared host leads to the dashboard.')
  if (isRoot && host.rootRedirectUrl !== null)
    throw invalid('isRoot', 'The domain has a rootRedirectUrl; remove it there first.', 'taken')
  const wanted = input.slug ?? before!.slug
  if (before !== null && !isMoved && wanted === before.slug)
    return { slug: before.slug, isRoot, domainId: host.domainId }
  const checked = checkSlug(wanted, 'branded', host.isCaseSensitive)
  if ('problem' in checked) throw invalid('slug', checked.problem, 'invalid_slug')
  return { slug: checked.slug, isRoot, domainId: host.domainId }
}

/** `p/<slug>`; on a branded host also the bare slug and, for a root page, the empty path. */
export function toAddresses({ id, slug, isRoot }: Placed, host: PageHost): Address[] {
  const slugs = [
    toPageSlug(slug),
    ...(host.domainId === null ? [] : [slug]),
    ...(isRoot ? [ROOT_KEY] : []),
  ]
  return slugs.map((path) => ({
    linkId: id,
    domainId: host.domainId ?? '',
    key: slugKeyOf(path, host.isCaseSensitive),
    slug: path,
    isAlias: true,
  }))
}

/** Freed addresses stay reserved for the workspace for 30 days. */
export async function moveAddresses(
  tx: Tx,
  principal: Principal,
  before: readonly Address[],
  after: readonly Address[],
  now: Date,
): Promise<void> {
  const isSame = (one: Address) => (other: Address) =>
    one.domainId === other.domainId && one.key === other.key && one.slug === other.slug
  const hasKey = (one: Address) => (other: Address) =>
    one.domainId === other.domainId && one.key === other.key
  const added = after.filter((address) => !before.some(isSame(address)))
  const left = before.filter((address) => !after.some(hasKey(address)))
  if (added.length > 0) {
    const [taken] = await takePageAddresses(tx, principal, added, now)
    if (taken !== undefined) throw addressTaken(taken)
  }
  if (left.length > 0) await freeAddresses(tx, principal, left, now)
}

export function toKeys(addresses: readonly Address[]): string[] {
  return [...new Set(addresses.map(toAddressKey))]
}

function addressTaken(key: string): ApiError {
  const isRoot = key === ROOT_KEY
  const path = isRoot ? 'isRoot' : 'slug'
  const message = isRoot ? 'Another page is at the root of this domain.' : 'This slug is taken.'
  return new ApiError('CONFLICT', message, [{ path, message, code: 'taken' }])
}

type Deps = Pick<LinkDeps, 'clock' | 'audit'>

/** The caller has locked the domain, and rolls back if a page cannot move. A root page keeps only its slug. */
export async function movePagesToSharedHost(
  deps: Deps,
  tx: Tx,
  principal: Principal,
  domainId: string,
): Promise<NotMoved[]> {
  const { workspaceId } = principal
  const pages = await tx<PageRow[]>`
    select ${columnsOf(tx)} from bio_pages p ${withDomain(tx)}
    where p.domain_id = ${domainId} and p.workspace_id = ${workspaceId} order by p.id for update of p`
  const left: NotMoved[] = []
  for (const before of pages)
    try {
      await move(deps, tx, principal, before)
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      left.push({ slug: before.slug, error })
    }
  return left
}

async function move(deps: Deps, tx: Tx, principal: Principal, before: PageRow): Promise<void> {
  const { id, title, domainId, isRoot } = before
  const now = changeTime(deps.clock(), before)
  const after = { ...before, domainId: null, isRoot: false }
  const [left, taken] = [
    toAddresses(before, { ...before, rootRedirectUrl: null }),
    toAddresses(after, SHARED_HOST),
  ]
  await moveAddresses(tx, principal, left, taken, now)
  await tx`
    update bio_pages set domain_id = null, is_root = false, updated_at = ${now}
    where id = ${id} and workspace_id = ${principal.workspaceId}`
  await deps.audit(tx, principal, {
    action: 'bio_page.updated',
    target: { type: 'bio_page', id, name: title },
    changes: {
      domainId: { old: domainId, new: null },
      ...(isRoot && { isRoot: { old: true, new: false } }),
    },
  })
  await announceLinks(tx, toKeys([...left, ...taken]))
}
