import type { LinkDraft } from './draft.ts'
import type { HostOption } from './use-hosts.ts'

/** Properties of each section of the form of a link. */
export type FormProps = {
  draft: LinkDraft
  onDraft: (change: Partial<LinkDraft>) => void
  /** The link before the edit; empty fields for a new link. */
  before: LinkDraft
  /** The host that the link would have. */
  host: string
  hosts: readonly HostOption[]
  hasPassword: boolean
  /** Messages of the server by the path of their field. */
  errors: Record<string, string>
}
