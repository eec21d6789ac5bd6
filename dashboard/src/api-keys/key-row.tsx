import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { IconButton } from '../kit/button.tsx'
import { Confirm } from '../kit/confirm.tsx'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { showToast } from '../kit/toast.ts'
import { text } from '../text/en.ts'
import { KeyDrawer, NewKey } from './key-drawer.tsx'
import type { ApiKey } from './queries.ts'
import { toAccess } from './scopes.ts'

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, prefix, ipAllowlist } = apiKey
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pr-2 pl-4 first:border-t-0">
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 text-sm md:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <p className="text-base font-semibold break-words">{name}</p>
          <p className="font-mono text-soft">{prefix}</p>
        </div>
        <div className="min-w-0">
          <p className="break-words">{describeAccess(apiKey)}</p>
          <p className="text-soft" title={ipAllowlist.join(', ')}>
            {ipAllowlist.length === 0
              ? text.apiKeys.anyAddress
              : text.apiKeys.fromAddresses(ipAllowlist.length)}
          </p>
        </div>
        <KeyTimes apiKey={apiKey} />
      </div>
      <KeyMenu apiKey={apiKey} />
    </li>
  )
}

function KeyTimes({ apiKey: { lastUsedAt, lastUsedIp, expiresAt } }: { apiKey: ApiKey }) {
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <div className="min-w-0 text-soft">
      <p title={lastUsedIp ? text.apiKeys.usedFrom(lastUsedIp) : undefined}>
        {lastUsedAt ? (
          <>
            {text.apiKeys.lastUsed} <RelativeTime at={lastUsedAt} />
          </>
        ) : (
          text.apiKeys.neverUsed
        )}
      </p>
      {isExpired ? (
        <p className="flex items-center gap-1 font-semibold text-stop">
          <Icon name="circle-x" /> {text.apiKeys.expired}
        </p>
      ) : (
        <p>
          {expiresAt ? (
            <>
              {text.apiKeys.expires} <RelativeTime at={expiresAt} />
            </>
          ) : (
            text.apiKeys.never
          )}
        </p>
      )}
    </div>
  )
}

function describeAccess({ scopes }: ApiKey): string {
  const { kind } = toAccess(scopes)
  if (kind !== 'chosen') return text.apiKeys.accesses[kind]
  return (scopes ?? []).join(', ')
}

type Open = 'edit' | 'rotate' | 'revoke' | null

function KeyMenu({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, workspaceId } = apiKey
  const queryClient = useQueryClient()
  const [open, setOpen] = useState<Open>(null)
  const [rotated, setRotated] = useState<string | null>(null)
  const close = () => setOpen(null)
  const path = { id }
  const refresh = () => queryClient.invalidateQueries({ queryKey: [workspaceId, 'api-keys'] })
  return (
    <>
      <Menu trigger={<IconButton icon="ellipsis" label={text.apiKeys.actionsOf(name)} />}>
        <MenuItem icon="pencil" onSelect={() => setOpen('edit')}>
          {text.actions.edit}
        </MenuItem>
        <MenuItem icon="refresh-cw" onSelect={() => setOpen('rotate')}>
          {text.apiKeys.rotate}
        </MenuItem>
        <MenuLine />
        <MenuItem icon="ban" isDanger onSelect={() => setOpen('revoke')}>
          {text.apiKeys.revoke}
        </MenuItem>
      </Menu>
      {open === 'edit' && <KeyDrawer apiKey={apiKey} onClose={close} />}
      {open === 'rotate' && (
        <Confirm
          title={text.apiKeys.rotateTitle(name)}
          action={text.apiKeys.rotate}
          onClose={close}
          onConfirm={async () => {
            const { key } = await dataOf(api.POST('/api-keys/{id}/rotate', { params: { path } }))
            setRotated(key)
            await refresh()
          }}
        >
          {text.apiKeys.rotateExplain}
        </Confirm>
      )}
      {open === 'revoke' && (
        <Confirm
          title={text.apiKeys.revokeTitle(name)}
          action={text.apiKeys.revoke}
          onClose={close}
          onConfirm={async () => {
            await ask(api.DELETE('/api-keys/{id}', { params: { path } }))
            showToast(text.apiKeys.revoked(name))
            await refresh()
          }}
        >
          {text.apiKeys.revokeExplain}
        </Confirm>
      )}
      {rotated && (
        <NewKey title={text.apiKeys.rotated} value={rotated} onClose={() => setRotated(null)} />
      )}
    </>
  )
}
