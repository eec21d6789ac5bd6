import { useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { api, ask } from '../api/client.ts'
import { Confirm } from '../kit/confirm.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import type { Domain } from './queries.ts'

/** Deletes a domain once its name is typed. */
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
  const isDeleted = useRef(false)
  return (
    <Confirm
      title={text.domains.deleteTitle(hostname)}
      action={text.domains.delete}
      word={hostname}
      onClose={() => (isDeleted.current ? onDeleted() : onClose())}
      onConfirm={async () => {
        await ask(api.DELETE('/domains/{id}', { params: { path: { id } } }))
        showToast(text.domains.deleted(hostname))
        isDeleted.current = true
        // Read again by the next page: this one has nothing left to read.
        await queryClient.invalidateQueries({ queryKey: [workspaceId], refetchType: 'none' })
      }}
    >
      {text.domains.deleteExplain}
    </Confirm>
  )
}
