import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Icon, type IconName } from '../kit/icon.tsx'
import { ExactTime, RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/webhooks.ts'
import { toggleOf } from './endpoint-menu.tsx'
import type { Endpoint } from './queries.ts'
import type { EndpointPopup } from './search.ts'

type Props = { endpoint: Endpoint; onOpen: (popup: EndpointPopup) => void }

/** Problems of an endpoint that need a decision, each with an action. */
export function EndpointNotes({ endpoint, onOpen }: Props) {
  const { status, failureCount, previousSecretValidUntil, droppedClicks } = endpoint
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {status === 'paused' && <PausedNote endpoint={endpoint} onOpen={onOpen} />}
      {status === 'active' && failureCount > 0 && <FailingNote endpoint={endpoint} />}
      {previousSecretValidUntil && (
        <Note icon="key-round" look="border-line">
          {text.webhooks.previousSecret} <ExactTime at={previousSecretValidUntil} />.
        </Note>
      )}
      {droppedClicks > 0 && (
        <Note icon="triangle-alert" look="border-warn">
          {text.webhooks.droppedClicks(droppedClicks)}
        </Note>
      )}
    </div>
  )
}

function PausedNote({ endpoint, onOpen }: Props) {
  const mayManage = useMay('admin')
  const { run, told, undo } = toggleOf(endpoint)
  const resume = useAction(run, { told: () => told, undo: () => undo })
  const { autoPausedAt } = endpoint
  return (
    <Note
      icon="pause"
      look={autoPausedAt ? 'border-stop' : 'border-line'}
      actions={
        mayManage && (
          <>
            <Button icon="play" isBusy={resume.isPending} onClick={() => resume.mutate()}>
              {text.webhooks.resume}
            </Button>
            <Button icon="history" onClick={() => onOpen('replay')}>
              {text.webhooks.replayMissed}
            </Button>
          </>
        )
      }
    >
      {autoPausedAt ? (
        <>
          {text.webhooks.autoPausedAt} <ExactTime at={autoPausedAt} />.
        </>
      ) : (
        <b className="font-semibold">{text.webhooks.itIsPaused}</b>
      )}{' '}
      {text.webhooks.pausedExplain}
    </Note>
  )
}

function FailingNote({ endpoint: { id, failureCount, lastFailureAt } }: Pick<Props, 'endpoint'>) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Note
      icon="circle-alert"
      look="border-stop"
      actions={
        <Link
          to="/$workspaceId/webhooks"
          params={{ workspaceId }}
          search={{ endpointId: id }}
          className={buttonClass('plain')}
        >
          {text.webhooks.readFailures}
        </Link>
      }
    >
      {text.webhooks.failingSince(failureCount)}{' '}
      {lastFailureAt && (
        <>
          {text.webhooks.failingExplain} <RelativeTime at={lastFailureAt} />.
        </>
      )}
    </Note>
  )
}

function Note({
  icon,
  look,
  actions,
  children,
}: {
  icon: IconName
  look: string
  actions?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={`flex flex-wrap items-center gap-3 rounded border p-3 text-sm ${look}`}>
      <Icon name={icon} />
      <p className="min-w-0 flex-1 basis-52">{children}</p>
      {actions && <span className="flex flex-wrap gap-2">{actions}</span>}
    </div>
  )
}
