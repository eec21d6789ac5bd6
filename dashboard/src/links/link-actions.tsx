import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, ask, dataOf } from '../api/client.ts'
import type { IconName } from '../kit/icon.tsx'
import type { RowAction } from '../kit/row-menu.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/link-page.ts'
import { linkQuery, type Link } from './queries.ts'

export type Status = 'active' | 'paused' | 'archived'

/** Changes the status of a link at once, before the server has answered. */
export function useSetStatus(link: Link): (status: Status) => Promise<unknown> {
  const queryClient = useQueryClient()
  const { queryKey } = linkQuery(link.workspaceId, link.id)
  return async (status) => {
    queryClient.setQueryData(queryKey, { ...link, status })
    const params = { path: { id: link.id } }
    return dataOf(api.PATCH('/links/{id}', { params, body: { status } })).catch(
      (error: unknown) => {
        queryClient.setQueryData(queryKey, link)
        throw error
      },
    )
  }
}

/** Pausing, archiving, and the ways back. */
export function statusActions(
  { status }: Link,
  setStatus: (status: Status) => Promise<unknown>,
): RowAction[] {
  const step = (icon: IconName, label: string, to: Status, told: string): RowAction => ({
    ...{ icon, label, told },
    run: () => setStatus(to),
    // An expired link is stored as an active one.
    undo: () => setStatus(status === 'paused' || status === 'archived' ? status : 'active'),
  })
  return [
    status === 'paused'
      ? step('play', text.linkPage.resume, 'active', text.linkPage.resumed)
      : step('pause', text.linkPage.pause, 'paused', text.linkPage.pausedNow),
    status === 'archived'
      ? step('archive-restore', text.links.unarchive, 'active', text.links.unarchived)
      : step('archive', text.links.archive, 'archived', text.links.archived_),
  ]
}

/** Deletes a link and shows the list; for an hour the deletion can be undone. */
export function useDelete({ id: linkId, workspaceId, slug }: Link) {
  const navigate = useNavigate()
  const params = { path: { id: linkId } }
  const toPage = { to: '/$workspaceId/links/$linkId', params: { workspaceId, linkId } } as const
  return useAction(
    async () => {
      await ask(api.DELETE('/links/{id}', { params }))
      await navigate({ to: '/$workspaceId/links', params: { workspaceId } })
    },
    {
      told: () => text.linkPage.deleted(slug),
      undo: () => async () => {
        await ask(api.POST('/links/{id}/restore', { params }))
        await navigate(toPage)
        return text.linkPage.restored(slug)
      },
    },
  )
}
