import { useQuery } from '@tanstack/react-query'
import { useWorkspace } from '../api/workspace.ts'
import { Field, INPUT } from '../kit/field.tsx'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { slugQuery } from './queries.ts'
import { useSettled } from './use-settled.ts'

const TYPING_MS = 250

type Props = {
  host: string
  value: string
  onValue: (value: string) => void
  /** The slug that the link already has: it is taken by itself. */
  own: string
  error: string | undefined
}

/** The path of the short URL, checked while it is typed. Empty: the server makes a random one. */
export function SlugField({ host, value, onValue, own, error }: Props) {
  const { id } = useWorkspace()
  const slug = useSettled(value.trim(), TYPING_MS)
  const check = useQuery({ ...slugQuery(id, slug), enabled: slug !== '' && slug !== own })
  const answer = slug !== '' && slug !== own && slug === value.trim() ? check.data : undefined
  const problem =
    answer && !answer.available ? text.links.slugProblems[answer.reason ?? 'taken'] : undefined
  return (
    <Field
      label={text.links.slug}
      error={error ?? problem}
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
          <span className="inline-flex items-center rounded-l border border-r-0 border-edge bg-sunk px-3 font-mono text-sm text-soft">
            {host}/
          </span>
          <input
            {...control}
            name="slug"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            className={`${INPUT} rounded-l-none font-mono`}
            placeholder={text.links.slugPlaceholder}
            value={value}
            onChange={(event) => onValue(event.target.value)}
          />
        </div>
      )}
    </Field>
  )
}
