import { api, dataOf } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { RowMenu } from '../kit/row-menu.tsx'
import { text } from '../text/webhooks.ts'
import type { Endpoint } from './queries.ts'
import type { EndpointPopup } from './search.ts'

/** Pauses or resumes an endpoint; the message takes it back. */
export function toggleOf({ id, status }: Pick<Endpoint, 'id' | 'status'>) {
  const params = { path: { id } }
  const set = (to: Endpoint['status']) => () =>
    dataOf(api.PATCH('/webhooks/endpoints/{id}', { params, body: { status: to } }))
  return status === 'paused'
    ? { run: set('active'), told: text.webhooks.resumed, undo: set('paused') }
    : { run: set('paused'), told: text.webhooks.pausedNow, undo: set('active') }
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
  if (!mayManage) return null
  const words = text.webhooks
  const isPaused = endpoint.status === 'paused'
  return (
    <RowMenu
      label={words.actionsOf(endpoint.url)}
      actions={[
        { icon: 'send', label: words.sendTest, onSelect: () => onOpen('test') },
        { icon: 'pencil', label: text.actions.edit, onSelect: () => onOpen('edit') },
        { icon: 'key-round', label: words.secret, onSelect: () => onOpen('secret') },
        { icon: 'history', label: words.replay, onSelect: () => onOpen('replay') },
        {
          icon: isPaused ? 'play' : 'pause',
          label: isPaused ? words.resume : words.pause,
          ...toggleOf(endpoint),
        },
        {
          icon: 'trash-2',
          label: words.delete,
          isDanger: true,
          onSelect: () => onOpen('delete'),
        },
      ]}
    />
  )
}
