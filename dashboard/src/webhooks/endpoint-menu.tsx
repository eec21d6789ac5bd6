import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api, dataOf } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { IconButton } from '../kit/button.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import type { Endpoint } from './queries.ts'
import type { EndpointPopup } from './search.ts'

/** Pauses or resumes an endpoint; the message takes it back. */
export function useSetStatus({ id }: Pick<Endpoint, 'id'>) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const setStatus = useMutation({
    mutationFn: ({ status }: { status: Endpoint['status']; isUndo?: boolean }) =>
      dataOf(api.PATCH('/webhooks/endpoints/{id}', { params: { path: { id } }, body: { status } })),
    onSuccess: (_, { status, isUndo }) => {
      const [message, before] =
        status === 'paused'
          ? ([text.webhooks.pausedNow, 'active'] as const)
          : ([text.webhooks.resumed, 'paused'] as const)
      const undo = () => setStatus.mutate({ status: before, isUndo: true })
      showToast(message, isUndo ? {} : { undo })
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: [workspaceId] }),
    onError: (error) => showToast(error.message, { isError: true }),
  })
  return setStatus
}

/** Actions of an admin on an endpoint. */
export function EndpointMenu({
  endpoint,
  onOpen,
}: {
  endpoint: Endpoint
  onOpen: (popup: EndpointPopup) => void
}) {
  const mayManage = useMay('admin')
  const setStatus = useSetStatus(endpoint)
  if (!mayManage) return null
  const isPaused = endpoint.status === 'paused'
  return (
    <Menu trigger={<IconButton icon="ellipsis" label={text.webhooks.actionsOf(endpoint.url)} />}>
      <MenuItem icon="send" onSelect={() => onOpen('test')}>
        {text.webhooks.sendTest}
      </MenuItem>
      <MenuItem icon="pencil" onSelect={() => onOpen('edit')}>
        {text.actions.edit}
      </MenuItem>
      <MenuItem icon="key-round" onSelect={() => onOpen('secret')}>
        {text.webhooks.secret}
      </MenuItem>
      <MenuItem icon="history" onSelect={() => onOpen('replay')}>
        {text.webhooks.replay}
      </MenuItem>
      <MenuItem
        icon={isPaused ? 'play' : 'pause'}
        onSelect={() => setStatus.mutate({ status: isPaused ? 'active' : 'paused' })}
      >
        {isPaused ? text.webhooks.resume : text.webhooks.pause}
      </MenuItem>
      <MenuLine />
      <MenuItem icon="trash-2" isDanger onSelect={() => onOpen('delete')}>
        {text.webhooks.delete}
      </MenuItem>
    </Menu>
  )
}
