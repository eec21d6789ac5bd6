import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask } from '../api/client.ts'
import { ApiError, type ErrorDetail } from '../api/errors.ts'
import { Confirm } from '../kit/confirm.tsx'
import { CheckField } from '../kit/field.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import type { Domain } from './queries.ts'

/** Deletes a domain once its name is typed; links that are on it can move to the shared host. */
export function DeleteDomain({
  domain: { id, workspaceId, hostname },
  onClose,
  onDeleted,
}: {
  domain: Domain
  onClose: () => void
  onDeleted: () => void
}) {
  const queryClient = useQueryClient()
  const [refused, setRefused] = useState<readonly SlugDetail[]>([])
  const [force, setForce] = useState(false)
  return (
    <Confirm
      title={text.domains.deleteTitle(hostname)}
      action={text.domains.delete}
      word={hostname}
      onClose={onClose}
      onDone={onDeleted}
      onConfirm={async () => {
        const params = { path: { id }, query: { force } }
        await ask(api.DELETE('/domains/{id}', { params })).catch((error: unknown) => {
          setRefused(detailsOf(error))
          throw error
        })
        showToast(text.domains.deleted(hostname))
        // Read again by the next page: this one has nothing left to read.
        await queryClient.invalidateQueries({ queryKey: [workspaceId], refetchType: 'none' })
      }}
    >
      {text.domains.deleteExplain}
      {refused.length > 0 && (
        <CheckField
          label={text.domains.moveLinks}
          hint={text.domains.moveLinksHint}
          checked={force}
          onChecked={setForce}
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
    <ul aria-label={text.domains.takenSlugs} className="list-disc pl-5">
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
