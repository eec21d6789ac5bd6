import type { LinkDraft } from './draft.ts'

/** What each part of the form of a link gets. */
export type FormProps = {
  draft: LinkDraft
  onDraft: (change: Partial<LinkDraft>) => void
  /** The slug before the edit; empty for a new link. */
  ownSlug: string
  host: string
  hasPassword: boolean
  /** Messages of the server by the path of their field. */
  errors: Record<string, string>
}
