import { api, dataOf } from '../api/client.ts'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { useAction } from '../kit/use-action.ts'
import { text } from '../text/domains.ts'
import { DomainStatus } from './domain-status.tsx'
import { isRefusedByPlan, PlanNote } from './plan-note.tsx'
import type { Domain } from './queries.ts'

/** Status of the domain, its reason and the next check; admins can start a check. */
export function StatusCard({ domain }: { domain: Domain }) {
  const { status, failureReason } = domain
  const mayManage = useMay('admin')
  const params = { path: { id: domain.id } }
  const check = useAction(() => dataOf(api.POST('/domains/{id}/verify', { params })), {
    showsErrors: true,
  })
  const { error } = check
  return (
    <Card
      title={text.domains.status}
      action={
        mayManage && (
          <Button
            look={status === 'verified' ? 'plain' : 'primary'}
            icon="refresh-cw"
            isBusy={check.isPending}
            onClick={() => check.mutate()}
          >
            {text.domains.checkNow}
          </Button>
        )
      }
    >
      <div className="flex flex-col gap-2 px-4 pt-1 pb-4 text-sm">
        <div aria-live="polite" className="flex flex-col gap-2">
          <p className="flex flex-wrap items-center gap-x-3">
            <DomainStatus status={status} />
            <span className="text-soft">
              {check.isPending ? text.domains.checking : <Times domain={domain} />}
            </span>
          </p>
          <p>{text.domains.states[status]}</p>
          {failureReason && (
            <Warning isStop={status === 'failed'}>{text.domains.reasons[failureReason]}</Warning>
          )}
          {status === 'verified' && !isRouted(domain) && (
            <Warning>{text.domains.notRouted}</Warning>
          )}
        </div>
        <Certificate domain={domain} />
        <p className="text-soft">{text.domains.next[status]}</p>
        {isRefusedByPlan(error) ? (
          <PlanNote message={error.message} />
        ) : (
          <ErrorNote error={error} />
        )}
      </div>
    </Card>
  )
}

function Times({ domain: { lastCheckedAt, verifiedAt } }: { domain: Domain }) {
  if (!lastCheckedAt) return text.domains.neverChecked
  return (
    <>
      {verifiedAt && (
        <>
          {text.domains.verifiedAt} <RelativeTime at={verifiedAt} />,{' '}
        </>
      )}
      {text.domains.lastChecked} <RelativeTime at={lastCheckedAt} />
    </>
  )
}

function Warning({ isStop = false, children }: { isStop?: boolean; children: string }) {
  return (
    <p className={`flex items-start gap-1 ${isStop ? 'text-stop' : 'text-warn'}`}>
      <Icon name={isStop ? 'circle-alert' : 'triangle-alert'} className="mt-0.5" /> {children}
    </p>
  )
}

/** Whether links open over https; why not, and what to do. */
function Certificate({ domain }: { domain: Domain }) {
  const { status, sslStatus, sslFailureReason, sslNextAttemptAt } = domain
  if (status !== 'verified' && status !== 'misconfigured') return null
  const texts = text.domains.certificate
  return (
    <div className="flex flex-col gap-2">
      <p>{texts.states[sslStatus]}</p>
      {sslFailureReason && (
        <Warning isStop={sslStatus === 'failed'}>{texts.reasons[sslFailureReason]}</Warning>
      )}
      {sslNextAttemptAt && (
        <p>
          {texts.nextAttempt} <RelativeTime at={sslNextAttemptAt} />
        </p>
      )}
    </div>
  )
}

function isRouted({ verification: { records } }: Domain): boolean {
  return records.every(({ purpose, ok }) => purpose !== 'routing' || ok !== false)
}
