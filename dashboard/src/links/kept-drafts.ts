import { pageUser } from '../api/session-gate.ts'
import type { LinkDraft } from './draft.ts'

const KEPT_MS = 7 * 86_400_000

type KeptDraft = { draft: LinkDraft; keptAt: number }

/** Users of one browser do not see each other's drafts. */
const keyOf = (workspaceId: string, linkId: string) =>
  `signpost.draft.${pageUser()?.id}.${workspaceId}.${linkId}`

/**
 * The draft that this browser kept for at most seven days; passwords are never kept.
 * @param before has the fields that the draft of an earlier version lacks
 */
export function readKeptDraft(
  workspaceId: string,
  linkId: string,
  before: LinkDraft,
): KeptDraft | null {
  const stored = localStorage.getItem(keyOf(workspaceId, linkId))
  if (stored === null) return null
  try {
    const { draft, keptAt } = JSON.parse(stored) as KeptDraft
    if (Date.now() - keptAt < KEPT_MS) return { draft: { ...before, ...draft }, keptAt }
  } catch {
    // Not of this version: dropped below.
  }
  localStorage.removeItem(keyOf(workspaceId, linkId))
  return null
}

export function keepDraft(workspaceId: string, linkId: string, draft: LinkDraft): void {
  const kept: KeptDraft = { draft: { ...draft, password: '' }, keptAt: Date.now() }
  localStorage.setItem(keyOf(workspaceId, linkId), JSON.stringify(kept))
}

export function dropDraft(workspaceId: string, linkId: string): void {
  localStorage.removeItem(keyOf(workspaceId, linkId))
}
