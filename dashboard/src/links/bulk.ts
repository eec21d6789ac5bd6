import { api, ask, type Schemas } from '../api/client.ts'
import { sayError } from '../api/errors.ts'
import { text } from '../text/shared.ts'
import type { Link } from './queries.ts'
import type { LinkFilter } from './search.ts'

/** The most links that a request may name. */
const MAX_IDS = 1_000

/** The links of a change: those named, or all that a filter matches. */
export type Target = { links: readonly Link[] } | { filter: LinkFilter; count: number }
export type Outcome = {
  succeeded: number
  failed: number
  /** The error of the first link that failed. */
  message: string
  undoIds: readonly string[]
}

type Names = { ids: string[] } | { filter: LinkFilter & { includeArchived: boolean } }
type Answer = {
  data: Schemas['BulkRow'][]
  meta: Schemas['BulkMeta'] & { undoId?: string | null }
}

/** The same change of all links of a target. */
export function changeLinks(target: Target, data: Schemas['UpdateEachLink']): Promise<Outcome> {
  return inParts(toNames(target), (names) =>
    ask(api.PATCH('/links/bulk', { body: { ...names, data } })),
  )
}

export function deleteLinks(target: Target): Promise<Outcome> {
  return inParts(toNames(target), (names) => ask(api.DELETE('/links/bulk', { body: names })))
}

/** Takes operations back, the latest first; answers what to tell the user. */
export async function undoMany(undoIds: readonly string[]): Promise<string> {
  let succeeded = 0
  let skipped = 0
  for (const undoId of undoIds.toReversed()) {
    const { meta } = await ask(api.POST('/links/bulk/undo', { body: { undoId } }))
    succeeded += meta.succeeded
    skipped += meta.skipped
  }
  return skipped > 0 ? text.actions.undoneBut(succeeded, skipped) : text.actions.undone(succeeded)
}

function toNames(target: Target): Names[] {
  if ('filter' in target) return [{ filter: { includeArchived: false, ...target.filter } }]
  const ids = target.links.map(({ id }) => id)
  const parts: Names[] = []
  for (let at = 0; at < ids.length; at += MAX_IDS) parts.push({ ids: ids.slice(at, at + MAX_IDS) })
  return parts
}

async function inParts(parts: Names[], send: (names: Names) => Promise<Answer>): Promise<Outcome> {
  const outcomes: Outcome[] = []
  for (const part of parts) {
    const { data, meta } = await send(part)
    const failed = data.find(({ error }) => error !== null)
    outcomes.push({
      succeeded: meta.succeeded,
      failed: meta.failed,
      message: failed?.error ? sayError(failed.error) : '',
      undoIds: meta.undoId ? [meta.undoId] : [],
    })
  }
  return sum(outcomes)
}

function sum(outcomes: readonly Outcome[]): Outcome {
  return {
    succeeded: outcomes.reduce((total, each) => total + each.succeeded, 0),
    failed: outcomes.reduce((total, each) => total + each.failed, 0),
    message: outcomes.find(({ failed }) => failed > 0)?.message ?? '',
    undoIds: outcomes.flatMap(({ undoIds }) => undoIds),
  }
}
