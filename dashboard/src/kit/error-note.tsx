import { ApiError } from '../api/errors.ts'
import { text } from '../text/shared.ts'
import { Button } from './button.tsx'
import { Icon } from './icon.tsx'
import { useRetryWait } from './retry-wait.ts'

/** An error at its cause: what failed, what to do, and the id that an operator can search for. */
export function ErrorNote({ error, onRetry }: { error: unknown; onRetry?: () => void }) {
  const waitSeconds = useRetryWait(error)
  if (!error) return null
  const known = error instanceof ApiError ? error : null
  return (
    <div
      role="alert"
      className="flex flex-wrap items-start gap-2 rounded border border-stop p-3 text-sm"
    >
      <Icon name="circle-alert" className="mt-0.5 text-stop" />
      <div className="min-w-0 flex-1">
        <p className="break-words">{known?.message ?? text.errors.unexpected}</p>
        {waitSeconds > 0 && <p>{text.errors.retryIn(waitSeconds)}</p>}
        {known?.requestId && (
          <p className="font-mono text-xs text-soft break-all">{known.requestId}</p>
        )}
      </div>
      {onRetry && (
        <Button look="plain" icon="refresh-cw" disabled={waitSeconds > 0} onClick={onRetry}>
          {text.actions.retry}
        </Button>
      )}
    </div>
  )
}
