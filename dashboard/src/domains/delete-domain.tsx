import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { ApiError, type ErrorDetail } from '../api/errors.ts'
import { Confirm } from '../kit/confirm.tsx'
import { CheckField } from '../kit/field.tsx'
import { text } from '../text/domains.ts'
import type { Domain } from './queries.ts'

/** Deletes a domain once its name is typed; links that are on it can move to the shared host. */
export function DeleteDomain({
  domain: { id, hostname },
  onClose,
  onDeleted,
}: {
  domain: Domain
  onClose: () => void
  /** Leaves its page. */
  onDeleted: () => Promise<unknown>
}) {
  const [refused, setRefused] = useState<readonly SlugDetail[]>([])
  const [force, setForce] = useState(false)
  return (
    <Confirm
      title={text.domains.deleteTitle(hostname)}
      action={text.domains.delete}
      word={hostname}
      told={text.domains.deleted(hostname)}
      onClose={onClose}
      onGone={onDeleted}
      onConfirm={() => {
        const params = { path: { id }, query: { force } }
        return ask(api.DELETE('/domains/{id}', { params })).catch((error: unknown) => {
          setRefused(detailsOf(error))
          throw error
        })
      }}
    >
      {text.domains.deleteExplain}
      {refused.length > 0 && (
        <CheckField
          label={text.domains.moveLinks}
          hint={text.domains.moveLinksHint}
          value={force}
          onValue={setForce}
        />
      )}
      <TakenSlugs details={refused} />
    </Confirm>
  )
}

/** The slugs that keep the links of the domain from the shared host. */
function TakenSlugs({ details }: { details: readonly SlugDetail[] }) {
  const taken = details.filter(({ slug }) => slug !== undefined)
  if (taken.length === 0) return null
  return (
    <ul aria-label={text.domains.takenSlugs} className="list-disc ps-5">
      {taken.map(({ slug, message }) => (
        <li key={slug}>
          <span className="font-mono break-all">{slug}</span>: {message}
        </li>
      ))}
    </ul>
  )
}

type SlugDetail = ErrorDetail & { slug?: string }

function detailsOf(error: unknown): readonly SlugDetail[] {
  if (!(error instanceof ApiError) || !Array.isArray(error.details)) return []
  return error.details as readonly SlugDetail[]
}
