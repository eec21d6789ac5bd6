import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { Field, INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/link-page.ts'
import type { FormProps } from './form-props.ts'
import { slugQuery } from './queries.ts'
import { useSettled } from '../kit/use-settled.ts'

const TYPING_MS = 250
const HOST =
  'rounded-s border border-e-0 border-edge bg-sunk font-mono text-sm text-soft max-md:min-h-11'

/** The host and the path of the short URL, checked while it is typed. Empty: the server makes a random path. */
export function SlugField(props: FormProps) {
  const { form, host } = props
  const answer = useAnswer(props)
  const problem =
    answer && !answer.available ? text.links.slugProblems[answer.reason ?? 'taken'] : undefined
  return (
    <Field
      label={text.links.slug}
      error={form.errorAt('domain') ?? form.errorAt('slug') ?? problem}
      hint={
        answer?.available ? (
          <span className="inline-flex items-center gap-1 text-ok">
            <Icon name="circle-check" /> {text.links.slugFree(host)}
          </span>
        ) : (
          text.links.slugHint
        )
      }
    >
      {(control) => (
        <div className="flex">
          <Host {...props} />
          <input
            {...control}
            name="slug"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className={`${INPUT} min-w-0 rounded-s-none font-mono`}
            placeholder={text.links.slugPlaceholder}
            value={form.draft.slug}
            onChange={(event) => form.change({ slug: event.target.value })}
          />
        </div>
      )}
    </Field>
  )
}

/** A choice where there is more than one host, or where the host of the draft is gone. */
function Host({ form, host, hosts }: FormProps) {
  const { domain } = form.draft
  const isListed = hosts.some(({ value }) => value === domain)
  const isChoice = hosts.length > 1 || (hosts.length === 1 && !isListed)
  if (!isChoice) return <span className={`${HOST} inline-flex items-center px-3`}>{host}/</span>
  return (
    <select
      aria-label={text.links.domain}
      className={`${HOST} max-w-1/2 px-2`}
      value={domain}
      onChange={(event) => form.change({ domain: event.target.value })}
    >
      {!isListed && <option value={domain}>{domain}</option>}
      {hosts.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </select>
  )
}

/** Whether the slug is free on the host; undefined while it is typed, or the link has it already. */
function useAnswer({ form: { draft, before } }: FormProps) {
  const { slug, domain } = draft
  const { id } = useWorkspace()
  const typed = useSettled(slug.trim(), TYPING_MS)
  const isOwn = typed === before.slug && domain === before.domain
  const enabled = typed !== '' && !isOwn
  const check = useQuery({ ...slugQuery(id, typed, domain), enabled })
  return enabled && typed === slug.trim() ? check.data : undefined
}
