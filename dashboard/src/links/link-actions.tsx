import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, ask, dataOf } from '../api/client.ts'
import { Confirm } from '../kit/confirm.tsx'
import { formatNumber } from '../kit/format.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { linkQuery, type Link } from './queries.ts'

/** Archives a link or brings it back, at once, with an offer to undo it. */
export function useArchive(link: Link): () => void {
  const queryClient = useQueryClient()
  const { queryKey } = linkQuery(link.workspaceId, link.id)
  const change = useMutation({
    mutationFn: (status: 'active' | 'archived') =>
      dataOf(api.PATCH('/links/{id}', { params: { path: { id: link.id } }, body: { status } })),
    onMutate: (status) => queryClient.setQueryData(queryKey, { ...link, status }),
    onError: () => {
      queryClient.setQueryData(queryKey, link)
      showToast(text.errors.notSaved, { isError: true })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [link.workspaceId, 'links'] }),
  })
  return () => {
    const isArchived = link.status === 'archived'
    change.mutate(isArchived ? 'active' : 'archived')
    showToast(isArchived ? text.links.unarchived : text.links.archived_, {
      undo: () => change.mutate(isArchived ? 'archived' : 'active'),
    })
  }
}

/** Asks before a link stops working. */
export function DeleteLink({ link, onClose }: { link: Link; onClose: () => void }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Confirm
      title={text.links.deleteTitle(link.slug)}
      action={text.links.delete}
      onClose={onClose}
      onConfirm={async () => {
        await ask(api.DELETE('/links/{id}', { params: { path: { id: link.id } } }))
        showToast(text.links.deleted(link.slug))
        await navigate({
          to: '/$workspaceId/links',
          params: { workspaceId: link.workspaceId },
        })
        await queryClient.invalidateQueries({ queryKey: [link.workspaceId, 'links'] })
      }}
    >
      {text.links.deleteExplain(formatNumber(link.clicks))}
    </Confirm>
  )
}
