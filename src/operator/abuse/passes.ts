import { inTransaction, type Tx } from '../../platform/storage/postgres/postgres.ts'
import {
  findBlockedHost,
  findBlockedTarget,
  type Destinations,
} from '../../links/write/refusals.ts'
import { announceLinks } from '../../links/link/addresses.ts'
import { listPageTargets, type PageContent } from '../../platform/facts/bio-page.ts'
import type { Dependencies } from '../../platform/resources/dependencies.ts'
import type { DomainBlocking } from '../../domains/domains/fields.ts'
import type { LinkBlocking } from '../../links/write/blocking.ts'

type PassDeps = Pick<Dependencies, 'systemSql' | 'clock'> & {
  linkBlocking: LinkBlocking
  domainBlocking: DomainBlocking
  rowsPerStep?: number
}

type Block = {
  id: string
  value: string
  reason: string | null
  passAfter: string
  liftedAt: Date | null
}
type ScannedLink = Destinations & { id: string; workspaceId: string }
type ScannedPage = Pick<PageContent, 'blocks' | 'socials'> & { id: string }

const ROWS_PER_STEP = 1_000
/** The blocks of a page take up to a megabyte. */
const PAGES_PER_STEP = 50
/** A pass goes through bio pages, domains and links in the order of their ids. */
const FIRST_DOMAIN = 'dom_'
const FIRST_LINK = 'lnk_'
const MAX_BLOCKS = 1_000
/** Longer than any transaction that writes links. */
const NEXT_PASS_AFTER_MS = 120_000

export async function applyBlocks(deps: PassDeps, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await runBlockStep(deps)));
}

/**
 * The locked rows of the blocks are its lease and say where the next step continues; after a crash one step is
 * repeated.
 */
function runBlockStep(deps: PassDeps): Promise<boolean> {
  return inTransaction(deps.systemSql, async (tx) => {
    const now = new Date(deps.clock())
    const [first] = await tx<Block[]>`
        select id, value, reason, pass_after, lifted_at from blocks
        where (passes_left > 0 or lifted_at is not null) and pass_at <= ${now}
        order by pass_at, id limit 1 for update skip locked`
    if (!first) return false
    if (first.liftedAt !== null) await lift(deps, tx, first)
    else await scan(deps, tx, first, now)
    return true
  })
}

async function scan(deps: PassDeps, tx: Tx, first: Block, now: Date): Promise<void> {
  const blocks = await tx<Block[]>`
    select id, value, reason from blocks
    where passes_left > 0 and lifted_at is null and pass_after = ${first.passAfter} and pass_at <= ${now}
    order by id limit ${MAX_BLOCKS} for update skip locked`
  const ids = blocks.map(({ id }) => id)
  const next =
    (await refreshTargets(deps, tx, first.passAfter, { blocks, which: 'with urls' })) ??
    (await blockLinks(deps, tx, first.passAfter, blocks))
  if (next !== null) await tx`update blocks set pass_after = ${next} where id = any(${ids}::text[])`
  else
    await tx`
      update blocks set pass_after = '', passes_left = passes_left - 1,
        pass_at = ${new Date(now.getTime() + NEXT_PASS_AFTER_MS)}
      where id = any(${ids}::text[])`
}

/**
 * The part of a pass before the links.
 * @returns where the next step continues; null when the pass is at the links
 */
async function refreshTargets(
  { domainBlocking, rowsPerStep: limit = ROWS_PER_STEP }: PassDeps,
  tx: Tx,
  after: string,
  { blocks, which }: { blocks: readonly Block[]; which: 'with urls' | 'with blocked' },
): Promise<string | null> {
  if (after >= FIRST_LINK) return null
  if (after >= FIRST_DOMAIN)
    return (await domainBlocking.refreshBlocked(tx, { after, limit, which })) ?? FIRST_LINK
  const hosts = new Set(blocks.map(({ value }) => value))
  return (await announcePagesTo(tx, hosts, { after, limit: PAGES_PER_STEP })) ?? FIRST_DOMAIN
}

/** Redirect processes read these pages again, and leave out what is blocked. */
async function announcePagesTo(
  tx: Tx,
  hosts: ReadonlySet<string>,
  { after, limit }: { after: string; limit: number },
): Promise<string | null> {
  const pages = await tx<ScannedPage[]>`
    select id, blocks, socials from bio_pages
    where id > ${after} and status = 'published' order by id limit ${limit}`
  const found = pages.filter((page) => findBlockedTarget(listPageTargets(page), hosts))
  await announcePages(
    tx,
    found.map(({ id }) => id),
  )
  return pages.length < limit ? null : pages.at(-1)!.id
}

export async function announcePages(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return
  const addresses = await tx<{ key: string }[]>`
    select domain_id || chr(10) || slug_key as key from link_addresses
    where link_id = any(${[...ids]}::text[]) and is_alias`
  await announceLinks(
    tx,
    addresses.map(({ key }) => key),
  )
}

async function blockLinks(
  { linkBlocking, rowsPerStep = ROWS_PER_STEP }: PassDeps,
  tx: Tx,
  after: string,
  blocks: readonly Block[],
): Promise<string | null> {
  const links = await tx<ScannedLink[]>`
    select id, workspace_id, destination_url, options from links
    where id > ${after} order by id limit ${rowsPerStep}`
  const byHost = new Map(blocks.map((block) => [block.value, block]))
  const hosts = new Set(byHost.keys())
  const causes = new Map<string, Map<string, { blockId: string; reason: string | null }>>()
  for (const link of links) {
    const found = findBlockedHost(link, hosts)
    if (!found) continue
    const { id: blockId, reason } = byHost.get(found.host)!
    const ofWorkspace = causes.get(link.workspaceId) ?? new Map()
    causes.set(link.workspaceId, ofWorkspace.set(link.id, { blockId, reason }))
  }
  for (const [workspaceId, ofWorkspace] of causes)
    await linkBlocking.blockLinks(tx, workspaceId, ofWorkspace)
  return links.length < rowsPerStep ? null : links.at(-1)!.id
}

async function lift(deps: PassDeps, tx: Tx, block: Block): Promise<void> {
  const { id, passAfter } = block
  const which = 'with blocked'
  const next = await refreshTargets(deps, tx, passAfter, { blocks: [block], which })
  if (next !== null) {
    await tx`update blocks set pass_after = ${next} where id = ${id}`
    return
  }
  const { linkBlocking, rowsPerStep = ROWS_PER_STEP } = deps
  const held = await tx<{ linkId: string; workspaceId: string }[]>`
    select link_id, workspace_id from link_blocks where block_id = ${id}
    order by link_id limit ${rowsPerStep}`
  for (const [workspaceId, some] of Map.groupBy(held, (row) => row.workspaceId))
    await linkBlocking.restoreLinks(
      tx,
      workspaceId,
      some.map(({ linkId }) => linkId),
    )
  if (held.length < rowsPerStep) await tx`delete from blocks where id = ${id}`
}
