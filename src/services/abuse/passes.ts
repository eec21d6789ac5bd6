import { repeat, type Service } from '../../base/service.ts'
import { retryDeadlocks } from '../../storage/deadlocks.ts'
import { inTransaction, type Tx } from '../../storage/postgres.ts'
import { findBlockedHost, type Destinations } from '../blocked-hosts.ts'
import type { Dependencies } from '../dependencies.ts'
import type { LinkBlocking } from '../links/blocking.ts'

export type PassDeps = Pick<Dependencies, 'systemSql' | 'clock' | 'log'> & {
  linkBlocking: LinkBlocking
  linksPerStep?: number
}

type Block = {
  id: string
  value: string
  reason: string | null
  passAfter: string
  liftedAt: Date | null
}
type ScannedLink = Destinations & { id: string; workspaceId: string }

const EVERY_MS = 1_000
const LINKS_PER_STEP = 1_000
/** Blocks that share a pass. */
const MAX_BLOCKS = 1_000
/** Longer than any transaction that writes links. */
const NEXT_PASS_AFTER_MS = 120_000

/** Applies blocks of hosts to the links that exist, and restores links of lifted blocks. */
export function createBlockPasses(deps: PassDeps): Service {
  return {
    name: 'blocks',
    run: (signal) =>
      repeat(
        signal,
        EVERY_MS,
        async () => {
          while (!signal.aborted && (await runBlockStep(deps)));
        },
        deps.log,
        'blocks could not be applied to links; trying again',
      ),
  }
}

/**
 * One step in one transaction. The locked rows of the blocks are its lease, and the link after which the next
 * step goes on is in them: after a crash another process repeats at most one step.
 * @returns false when nothing is due
 */
function runBlockStep(deps: PassDeps): Promise<boolean> {
  return retryDeadlocks(() =>
    inTransaction(deps.systemSql, async (tx) => {
      const now = new Date(deps.clock())
      const [first] = await tx<Block[]>`
        select id, value, reason, pass_after, lifted_at from blocks
        where (passes_left > 0 or lifted_at is not null) and pass_at <= ${now}
        order by pass_at, id limit 1 for update skip locked`
      if (!first) return false
      if (first.liftedAt !== null) await lift(deps, tx, first)
      else await scan(deps, tx, first, now)
      return true
    }),
  )
}

/** Blocks the links among the next ones that lead to the host, or to that of a block at the same place. */
async function scan(deps: PassDeps, tx: Tx, first: Block, now: Date): Promise<void> {
  const { linksPerStep = LINKS_PER_STEP } = deps
  const blocks = await tx<Block[]>`
    select id, value, reason from blocks
    where passes_left > 0 and lifted_at is null and pass_after = ${first.passAfter} and pass_at <= ${now}
    order by id limit ${MAX_BLOCKS} for update skip locked`
  const links = await tx<ScannedLink[]>`
    select id, workspace_id, destination_url, options from links
    where id > ${first.passAfter} order by id limit ${linksPerStep}`
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
    await deps.linkBlocking.blockLinks(tx, workspaceId, ofWorkspace)
  const ids = blocks.map(({ id }) => id)
  if (links.length === linksPerStep)
    await tx`
      update blocks set pass_after = ${links.at(-1)!.id} where id = any(${ids}::text[])`
  else
    await tx`
      update blocks set pass_after = '', passes_left = passes_left - 1,
        pass_at = ${new Date(now.getTime() + NEXT_PASS_AFTER_MS)}
      where id = any(${ids}::text[])`
}

async function lift(deps: PassDeps, tx: Tx, { id }: Block): Promise<void> {
  const { linksPerStep = LINKS_PER_STEP } = deps
  const held = await tx<{ linkId: string; workspaceId: string }[]>`
    select link_id, workspace_id from link_blocks where block_id = ${id}
    order by link_id limit ${linksPerStep}`
  for (const [workspaceId, some] of Map.groupBy(held, (row) => row.workspaceId))
    await deps.linkBlocking.restoreLinks(
      tx,
      workspaceId,
      some.map(({ linkId }) => linkId),
    )
  if (held.length < linksPerStep) await tx`delete from blocks where id = ${id}`
}
