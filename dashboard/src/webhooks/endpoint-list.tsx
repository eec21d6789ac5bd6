import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem } from '../kit/menu.tsx'
import { showToast } from '../kit/toast.ts'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/en.ts'
import { EndpointDrawer } from './endpoint-drawer.tsx'
import type { Endpoint } from './queries.ts'
import { SecretPopup } from './secret-popup.tsx'

/** The endpoints with their health; the chosen one filters the deliveries below. */
export function EndpointList({
  endpoints,
  chosen,
  onChoose,
}: {
  endpoints: readonly Endpoint[]
  chosen: string | undefined
  onChoose: (id: string | undefined) => void
}) {
  return (
    <ul className="mb-4 rounded border border-line bg-card" aria-label={text.webhooks.endpoints}>
      {endpoints.map((endpoint) => (
        <li
          key={endpoint.id}
          className={`flex items-center gap-2 border-t border-line first:border-t-0 ${endpoint.id === chosen ? 'border-l-3 border-l-way' : ''}`}
        >
          <button
            type="button"
            aria-pressed={endpoint.id === chosen}
            className="grid min-w-0 flex-1 grid-cols-[minmax(0,2fr)_minmax(0,1fr)] gap-x-3 px-4 py-2.5 text-left text-sm max-md:grid-cols-1"
            onClick={() => onChoose(endpoint.id === chosen ? undefined : endpoint.id)}
          >
            <span className="min-w-0">
              <span className="block truncate font-mono">{endpoint.url}</span>
              <span className="block truncate text-xs text-soft">
                {endpoint.events.includes('*')
                  ? text.webhooks.allEvents
                  : endpoint.events.join(', ')}
              </span>
            </span>
            <Health endpoint={endpoint} />
          </button>
          <EndpointMenu endpoint={endpoint} />
        </li>
      ))}
    </ul>
  )
}

function Health({
  endpoint: { status, failureCount, lastSuccessAt, autoPausedAt },
}: {
  endpoint: Endpoint
}) {
  if (status === 'paused')
    return (
      <span className="text-soft">
        <span className="flex items-center gap-1 font-semibold">
          <Icon name="pause" /> {autoPausedAt ? text.webhooks.autoPaused : text.webhooks.paused}
        </span>
      </span>
    )
  if (failureCount > 0)
    return (
      <span className="text-stop">
        <span className="flex items-center gap-1 font-semibold">
          <Icon name="circle-alert" /> {text.webhooks.failing}
        </span>
        <span className="text-xs">{text.webhooks.failedInRow(failureCount)}</span>
      </span>
    )
  return (
    <span className="text-ok">
      <span className="flex items-center gap-1 font-semibold">
        <Icon name="circle-check" /> {text.webhooks.healthy}
      </span>
      <span className="text-xs text-soft">
        {lastSuccessAt ? <RelativeTime at={lastSuccessAt} /> : text.webhooks.nothingYet}
      </span>
    </span>
  )
}

type Open = 'edit' | 'secret' | 'delete' | null

function EndpointMenu({ endpoint }: { endpoint: Endpoint }) {
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const mayManage = useMay('admin')
  const [open, setOpen] = useState<Open>(null)
  const path = { id: endpoint.id }
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId] })
  const sendTest = useMutation({
    mutationFn: () => dataOf(api.POST('/webhooks/endpoints/{id}/test', { params: { path } })),
    onSuccess: async () => {
      showToast(text.webhooks.testSent)
      await refresh()
    },
    onError: (error) => showToast(error.message, { isError: true }),
  })
  const setStatus = useMutation({
    mutationFn: (status: 'active' | 'paused') =>
      dataOf(api.PATCH('/webhooks/endpoints/{id}', { params: { path }, body: { status } })),
    onSettled: refresh,
    onError: (error) => showToast(error.message, { isError: true }),
  })
  if (!mayManage) return null
  const isPaused = endpoint.status === 'paused'
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={text.webhooks.actionsOf(endpoint.url)} />}>
        <MenuItem icon="send" onSelect={() => sendTest.mutate()}>
          {text.webhooks.sendTest}
        </MenuItem>
        <MenuItem icon="pencil" onSelect={() => setOpen('edit')}>
          {text.actions.edit}
        </MenuItem>
        <MenuItem icon="key-round" onSelect={() => setOpen('secret')}>
          {text.webhooks.secret}
        </MenuItem>
        <MenuItem
          icon={isPaused ? 'play' : 'pause'}
          onSelect={() => setStatus.mutate(isPaused ? 'active' : 'paused')}
        >
          {isPaused ? text.webhooks.resume : text.webhooks.pause}
        </MenuItem>
        <MenuItem icon="trash-2" isDanger onSelect={() => setOpen('delete')}>
          {text.webhooks.delete}
        </MenuItem>
      </Menu>
      {open === 'edit' && <EndpointDrawer endpoint={endpoint} onClose={() => setOpen(null)} />}
      {open === 'secret' && <SecretPopup endpoint={endpoint} onClose={() => setOpen(null)} />}
      {open === 'delete' && (
        <Confirm
          title={text.webhooks.deleteTitle}
          action={text.webhooks.delete}
          word={new URL(endpoint.url).hostname}
          onClose={() => setOpen(null)}
          onConfirm={async () => {
            await ask(api.DELETE('/webhooks/endpoints/{id}', { params: { path } }))
            await refresh()
          }}
        >
          {text.webhooks.deleteExplain}
        </Confirm>
      )}
    </>
  )
}
