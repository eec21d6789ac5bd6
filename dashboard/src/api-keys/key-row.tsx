import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { Icon } from '../kit/icon.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/apps.ts'
import { KeyDrawer, NewKey } from './key-drawer.tsx'
import type { ApiKey } from './queries.ts'
import { toAccess } from './scopes.ts'

export function KeyRow({ apiKey }: { apiKey: ApiKey }) {
  const { name, prefix, ipAllowlist } = apiKey
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
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

/** An app that a user has allowed. Its key changes every hour, so that only the app itself is shown. */
export function AppRow({ apiKey }: { apiKey: ApiKey }) {
  const { id, name, app } = apiKey
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 pe-2 ps-4 first:border-t-0">
      <div className="grid min-w-0 flex-1 gap-x-4 gap-y-1 text-sm md:grid-cols-[minmax(0,2fr)_minmax(0,2fr)_minmax(0,1fr)]">
        <div className="min-w-0">
          <p className="text-base font-semibold break-words">{name}</p>
          <p className="break-words text-soft">{app === 'device' ? text.apps.device : app}</p>
        </div>
        <p className="min-w-0 break-words">{describeAccess(apiKey)}</p>
        <div className="min-w-0 text-soft">
          <LastUse apiKey={apiKey} />
        </div>
      </div>
      <RowMenu label={text.apiKeys.actionsOf(name)} actions={[revokeAction(id, name)]} />
    </li>
  )
}

function LastUse({ apiKey: { lastUsedAt, lastUsedIp } }: { apiKey: ApiKey }) {
  return (
    <p title={lastUsedIp ? text.apiKeys.usedFrom(lastUsedIp) : undefined}>
      {lastUsedAt ? (
        <>
          {text.apiKeys.lastUsed} <RelativeTime at={lastUsedAt} />
        </>
      ) : (
        text.apiKeys.neverUsed
      )}
    </p>
  )
}

function KeyTimes({ apiKey }: { apiKey: ApiKey }) {
  const { expiresAt } = apiKey
  const isExpired = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  return (
    <div className="min-w-0 text-soft">
      <LastUse apiKey={apiKey} />
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

function revokeAction(id: string, name: string) {
  return {
    icon: 'ban',
    label: text.apiKeys.revoke,
    isDanger: true,
    run: () => ask(api.DELETE('/api-keys/{id}', { params: { path: { id } } })),
    told: text.apiKeys.revoked(name),
    question: {
      title: text.apiKeys.revokeTitle(name),
      explain: text.apiKeys.revokeExplain,
    },
  } as const
}

function KeyMenu({ apiKey }: { apiKey: ApiKey }) {
  const { id, name } = apiKey
  const params = { path: { id } }
  const [isEdited, setEdited] = useState(false)
  const [rotated, setRotated] = useState<string | null>(null)
  return (
    <>
      <RowMenu
        label={text.apiKeys.actionsOf(name)}
        actions={[
          { icon: 'pencil', label: text.actions.edit, onSelect: () => setEdited(true) },
          {
            icon: 'refresh-cw',
            label: text.apiKeys.rotate,
            run: async () =>
              setRotated((await dataOf(api.POST('/api-keys/{id}/rotate', { params }))).key),
            question: {
              title: text.apiKeys.rotateTitle(name),
              explain: text.apiKeys.rotateExplain,
            },
          },
          revokeAction(id, name),
        ]}
      />
      {isEdited && <KeyDrawer apiKey={apiKey} onClose={() => setEdited(false)} />}
      {rotated && (
        <NewKey title={text.apiKeys.rotated} value={rotated} onClose={() => setRotated(null)} />
      )}
    </>
  )
}
