import { Icon, type IconName } from '../kit/icon.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/webhooks.ts'
import type { ReactNode } from 'react'
import type { Endpoint } from './queries.ts'

/** Whether the receiver answers, in a word with a drawing, and since when. */
export function EndpointHealth({ endpoint }: { endpoint: Endpoint }) {
  const { status, failureCount, lastSuccessAt, autoPausedAt } = endpoint
  if (status === 'paused')
    return (
      <Health
        icon="pause"
        className={autoPausedAt ? 'text-stop' : 'text-soft'}
        name={autoPausedAt ? text.webhooks.autoPaused : text.webhooks.paused}
      >
        {autoPausedAt && <RelativeTime at={autoPausedAt} />}
      </Health>
    )
  if (failureCount > 0)
    return (
      <Health icon="circle-alert" className="text-stop" name={text.webhooks.failing}>
        {text.names.failedInRow(failureCount)}
      </Health>
    )
  if (lastSuccessAt === null)
    return (
      <Health icon="clock" className="text-soft" name={text.webhooks.active}>
        {text.webhooks.noAnswerYet}
      </Health>
    )
  return (
    <Health icon="circle-check" className="text-ok" name={text.webhooks.healthy}>
      {text.webhooks.lastSuccess} <RelativeTime at={lastSuccessAt} />
    </Health>
  )
}

function Health({
  icon,
  className,
  name,
  children,
}: {
  icon: IconName
  className: string
  name: string
  children: ReactNode
}) {
  return (
    <span>
      <span className={`flex items-center gap-1 font-semibold ${className}`}>
        <Icon name={icon} /> {name}
      </span>
      <span className="text-xs text-soft">{children}</span>
    </span>
  )
}
