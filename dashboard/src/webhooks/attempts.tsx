import type { Schemas } from '../api/client.ts'
import { CopyIcon } from '../kit/copy-button.tsx'
import { formatDuration, formatSpan } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { JsonView } from '../kit/json-view.tsx'
import { LogTime } from '../kit/time.tsx'
import { nameOfStatus } from './response-statuses.ts'
import { text } from '../text/webhooks.ts'
import { HeaderFacts } from './header-facts.tsx'

export type Attempt = Schemas['WebhookAttempt']

/** The time after which an attempt is given up: the whole width of a bar. */
const SCALE_MS = 10_000

/** Every attempt on one scale of time; choosing one shows its answer. */
export function Attempts({
  attempts,
  chosen,
  onChoose,
}: {
  attempts: readonly Attempt[]
  chosen: Attempt | undefined
  onChoose: (attempt: number) => void
}) {
  const texts = text.deliveries
  if (attempts.length === 0) return <p className="text-sm text-soft">{texts.noAttempt}</p>
  return (
    <table aria-label={texts.attempts} className="w-full text-sm">
      <thead className="text-start text-soft">
        <tr>
          <th scope="col" className="font-normal">
            {texts.attemptAt}
          </th>
          <th scope="col" className="font-normal max-md:hidden">
            {texts.waited}
          </th>
          <th scope="col" className="font-normal">
            <span className="flex justify-between pe-2">
              {texts.answerHead} <span>{texts.scale}</span>
            </span>
          </th>
          <th scope="col" className="text-end font-normal">
            {texts.took}
          </th>
        </tr>
      </thead>
      <tbody>
        {attempts.map((attempt, index) => (
          <AttemptRow
            key={attempt.attempt}
            attempt={attempt}
            before={attempts[index - 1]}
            isChosen={attempt === chosen}
            onChoose={() => onChoose(attempt.attempt)}
          />
        ))}
      </tbody>
    </table>
  )
}

function isGood({ responseStatus }: Attempt): boolean {
  return responseStatus !== null && responseStatus >= 200 && responseStatus < 300
}

function AttemptRow({
  attempt,
  before,
  isChosen,
  onChoose,
}: {
  attempt: Attempt
  before: Attempt | undefined
  isChosen: boolean
  onChoose: () => void
}) {
  const { at, durationMs } = attempt
  const isOk = isGood(attempt)
  return (
    <tr className={`border-t border-line ${isChosen ? 'bg-sunk' : ''}`}>
      <td className="w-px pe-3 whitespace-nowrap">
        <button
          type="button"
          aria-pressed={isChosen}
          className="flex min-h-9 items-center gap-2 font-mono text-sm underline decoration-line underline-offset-4 max-md:min-h-11"
          onClick={onChoose}
        >
          <Icon
            name={isOk ? 'circle-check' : 'circle-x'}
            className={isOk ? 'text-ok' : 'text-stop'}
          />
          <LogTime at={at} />
        </button>
      </td>
      <td className="w-px pe-3 whitespace-nowrap text-soft max-md:hidden">
        {before
          ? text.deliveries.later(formatSpan(waitOf(before, attempt)))
          : text.deliveries.atOnce}
      </td>
      <td className="py-1">
        <DurationBar durationMs={durationMs} isOk={isOk} />
        <Outcome attempt={attempt} />
      </td>
      <td className="w-px ps-2 text-end font-mono whitespace-nowrap">
        {durationMs !== null && formatDuration(durationMs)}
      </td>
    </tr>
  )
}

function waitOf(before: Attempt, attempt: Attempt): number {
  return Math.max(0, Date.parse(attempt.at) - Date.parse(before.at) - (before.durationMs ?? 0))
}

function DurationBar({ durationMs, isOk }: { durationMs: number | null; isOk: boolean }) {
  if (durationMs === null) return null
  const width = Math.max(1, Math.min(100, (100 * durationMs) / SCALE_MS))
  return (
    <svg aria-hidden="true" width="100%" height="6" className="block">
      <rect y="2.5" width="100%" height="1" className="fill-line" />
      <rect width={`${width}%`} height="6" className={isOk ? 'fill-ok' : 'fill-stop'} />
    </svg>
  )
}

function Outcome({ attempt: { responseStatus, error } }: { attempt: Attempt }) {
  const texts = text.deliveries
  if (responseStatus === null && error === null) return texts.noAnswer
  return (
    <span className="break-words">
      {responseStatus !== null && (
        <>
          <b className="font-semibold">{nameOfStatus(responseStatus)}</b>
        </>
      )}{' '}
      {error}
    </span>
  )
}

/** The receiver's answer to one attempt, as text. */
export function AttemptAnswer({ attempt }: { attempt: Attempt }) {
  const texts = text.deliveries
  const { responseStatus, responseHeaders, responseBody, error } = attempt
  const isKept = responseHeaders !== null || responseBody !== null
  return (
    <section aria-label={texts.answerOf(attempt.attempt)}>
      <div className="flex min-h-9 items-center justify-between gap-2">
        <h3 className="text-sm font-semibold">
          {texts.answerOf(attempt.attempt)}{' '}
          <span className={isGood(attempt) ? 'text-ok' : 'text-stop'}>{responseStatus}</span>{' '}
          {responseBody && <span className="font-normal text-soft">{texts.bodyNote}</span>}
        </h3>
        {responseBody && <CopyIcon value={responseBody} label={texts.copyAnswer} />}
      </div>
      {error && <p className="text-sm break-words text-stop">{error}</p>}
      <HeaderFacts headers={responseHeaders} />
      {responseBody ? (
        <JsonView text={responseBody} />
      ) : (
        <p className="text-sm text-soft">
          {responseStatus !== null && !isKept ? texts.answerNotKept : texts.noBody}
        </p>
      )}
    </section>
  )
}
