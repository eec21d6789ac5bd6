import { useMutation, useQueryClient, type QueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, ask, dataOf } from '../api/client.ts'
import { ApiError } from '../api/errors.ts'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { linkQuery, type Link } from './queries.ts'

type Status = 'active' | 'paused' | 'archived'

/** Changes the status of a link at once, with an offer to undo it. */
export function useStatusChange(link: Link): (status: Status, message: string) => void {
  const queryClient = useQueryClient()
  const { queryKey } = linkQuery(link.workspaceId, link.id)
  const change = useMutation({
    mutationFn: (status: Status) =>
      dataOf(api.PATCH('/links/{id}', { params: { path: { id: link.id } }, body: { status } })),
    onMutate: (status) => queryClient.setQueryData(queryKey, { ...link, status }),
    onError: (error) => {
      queryClient.setQueryData(queryKey, link)
      tell(error)
    },
    onSettled: () => refresh(queryClient, link.workspaceId),
  })
  const { status: before } = link
  return (status, message) => {
    change.mutate(status)
    // An expired link is stored as an active one.
    const undoTo = before === 'paused' || before === 'archived' ? before : 'active'
    showToast(message, { undo: () => change.mutate(undoTo) })
  }
}

/** Deletes a link and shows the list; for an hour the deletion can be undone. */
export function useDelete(link: Link): { remove: () => void; isPending: boolean } {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const { id: linkId, workspaceId } = link
  const restore = async () => {
    try {
      await ask(api.POST('/links/{id}/restore', { params: { path: { id: linkId } } }))
      showToast(text.linkPage.restored(link.slug))
      await refresh(queryClient, workspaceId)
      await navigate({ to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId } })
    } catch (error) {
      tell(error)
    }
  }
  const remove = useMutation({
    mutationFn: () => ask(api.DELETE('/links/{id}', { params: { path: { id: linkId } } })),
    onSuccess: async () => {
      showToast(text.linkPage.deleted(link.slug), { undo: () => void restore() })
      await navigate({ to: '/$workspaceId/links', params: { workspaceId } })
      queryClient.removeQueries({ queryKey: [workspaceId, 'link', linkId] })
      await refresh(queryClient, workspaceId)
    },
    onError: tell,
  })
  return { remove: () => remove.mutate(), isPending: remove.isPending }
}

const refresh = (queryClient: QueryClient, workspaceId: string) =>
  queryClient.invalidateQueries({ queryKey: [workspaceId] })

const tell = (error: unknown) =>
  showToast(error instanceof ApiError ? error.message : text.errors.notSaved, { isError: true })
