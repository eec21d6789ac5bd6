import type { Form } from '../kit/use-form.ts'
import type { LinkDraft } from './draft.ts'
import type { HostOption } from './use-hosts.ts'

/** Properties of each section of the form of a link. */
export type FormProps = {
  /** `before` has empty fields for a new link. */
  form: Form<LinkDraft>
  /** The host that the link would have. */
  host: string
  hosts: readonly HostOption[]
  hasPassword: boolean
}
