import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { api, ask, dataOf } from '../api/client.ts'
import { usePages } from '../api/pages.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { formatNumber } from '../kit/locale.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { RowMenu } from '../kit/row-menu.tsx'
import { text } from '../text/alerts.ts'
import { AlertDrawer } from './alert-drawer.tsx'
import { alertsQuery, type Alert } from './queries.ts'

/** What members watch, and what is unusual now. */
export function AlertsPage() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const search = useSearch({ from: '/signed-in/$workspaceId/alerts' })
  const navigate = useNavigate({ from: '/$workspaceId/alerts' })
  const alerts = usePages(alertsQuery(workspaceId))
  const [edited, setEdited] = useState<Alert | null>(null)
  const mayWrite = useMay('member')
  const add = mayWrite && (
    <Button look="primary" icon="plus" onClick={() => void navigate({ search: { new: true } })}>
      {text.alerts.new_}
    </Button>
  )
  return (
    <>
      <PageHead title={text.alerts.title} note={text.alerts.note}>
        {add}
      </PageHead>
      <PagedList
        label={text.alerts.title}
        pages={alerts}
        empty={
          <Empty icon="bell" title={text.alerts.none}>
            {text.alerts.noneExplain}
          </Empty>
        }
      >
        {(alert) => (
          <AlertRow
            key={alert.id}
            alert={alert}
            onEdit={mayWrite ? () => setEdited(alert) : null}
          />
        )}
      </PagedList>
      {search.new && mayWrite && (
        <AlertDrawer linkId={search.linkId ?? null} onClose={() => void navigate({ search: {} })} />
      )}
      {edited && (
        <AlertDrawer alert={edited} linkId={edited.linkId} onClose={() => setEdited(null)} />
      )}
    </>
  )
}

/** @param onEdit null: the user may only read */
function AlertRow({ alert, onEdit }: { alert: Alert; onEdit: (() => void) | null }) {
  const { id, workspaceId, linkId, linkName, isActive } = alert
  const name = linkName ?? text.alerts.wholeWorkspace
  const params = { path: { id } }
  return (
    <li className="flex items-center gap-2 border-t border-line py-2 ps-4 pe-2 first:border-t-0">
      <div className="min-w-0 flex-1">
        <p className="font-semibold break-words">
          {linkId ? (
            <Link
              to="/$workspaceId/links/$linkId"
              params={{ workspaceId, linkId }}
              className="inline-block max-md:py-2.5"
            >
              {name}
            </Link>
          ) : (
            name
          )}
        </p>
        <States alert={alert} />
      </div>
      {onEdit && (
        <RowMenu
          label={text.alerts.actionsOf(name)}
          actions={[
            { icon: 'pencil', label: text.actions.edit, onSelect: onEdit },
            {
              icon: isActive ? 'pause' : 'play',
              label: isActive ? text.alerts.pause : text.alerts.resume,
              run: () =>
                dataOf(api.PATCH('/alerts/{id}', { params, body: { isActive: !isActive } })),
            },
            {
              icon: 'trash-2',
              label: text.alerts.delete,
              isDanger: true,
              run: () => ask(api.DELETE('/alerts/{id}', { params })),
              told: text.alerts.deleted,
              undo: () => {
                const { watches, recipients } = alert
                return dataOf(
                  api.POST('/alerts', { body: { linkId, watches, recipients, isActive } }),
                )
              },
            },
          ]}
        />
      )}
    </li>
  )
}

function States({
  alert: { watches, isActive, clicks, destination, checkedAt },
}: {
  alert: Alert
}) {
  const words = text.alerts
  if (!isActive) return <State icon="pause" word={words.paused} />
  return (
    <>
      {watches.includes('clicks') && (
        <State
          icon={clicks.state === 'usual' ? 'circle-check' : 'triangle-alert'}
          isAlarm={clicks.state !== 'usual'}
          word={
            clicks.usual === null || clicks.count === null
              ? words.learning
              : words.clicks[clicks.state](formatNumber(clicks.count), formatNumber(clicks.usual))
          }
          since={clicks.since}
        />
      )}
      {watches.includes('destination') && (
        <State
          icon={destination.state === 'ok' ? 'circle-check' : 'triangle-alert'}
          isAlarm={destination.state !== 'ok'}
          word={checkedAt ? words.destination[destination.state] : words.notChecked}
          since={destination.since}
        />
      )}
    </>
  )
}

function State({
  icon,
  word,
  isAlarm = false,
  since = null,
}: {
  icon: IconName
  word: string
  isAlarm?: boolean
  since?: string | null
}) {
  return (
    <p className={`flex items-start gap-1.5 text-sm ${isAlarm ? 'text-stop' : 'text-soft'}`}>
      <Icon name={icon} className="mt-0.5" />
      <span>
        {word}
        {isAlarm && since && <> {text.alerts.since(formatDateTime(since))}</>}
      </span>
    </p>
  )
}
