import type { LinkDraft } from './draft.ts'
import type { HostOption } from './use-hosts.ts'

/** What each part of the form of a link gets. */
export type FormProps = {
  draft: LinkDraft
  onDraft: (change: Partial<LinkDraft>) => void
  /** What the link had before the edit; all of it empty for a new link. */
  before: LinkDraft
  /** The host that the link would have. */
  host: string
  hosts: readonly HostOption[]
  hasPassword: boolean
  /** Messages of the server by the path of their field. */
  errors: Record<string, string>
}
