import { useState, type ReactNode } from 'react'
import { toDayPresets } from '../figures/presets.ts'
import { dayIn, daysName, RangeButton } from '../figures/range-button.tsx'
import { IconButton } from '../kit/button.tsx'
import { Arm, Empty } from '../kit/layout.tsx'
import { getTimeZone } from '../kit/locale.ts'
import { ExactTime } from '../kit/time.tsx'
import { text as figureText } from '../text/figures.ts'
import { text } from '../text/logs.ts'
import type { LogSearch } from './search.ts'

/** First and last day, and the actor as an arm. Filters of one log alone are `children`. */
export function LogFilters({
  search,
  actorName,
  onChange,
  children,
}: {
  search: LogSearch
  actorName: string | undefined
  onChange: (part: LogSearch) => void
  children: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-2 pb-3">
      {children}
      <DaysFilter search={search} onChange={onChange} />
      {search.actorId && (
        <Arm>
          {text.logs.actor}{' '}
          <b className="max-w-60 truncate font-semibold">{actorName ?? search.actorId}</b>
          <IconButton
            icon="x"
            label={text.logs.anyActor}
            className="size-7! max-md:size-11!"
            onClick={() => onChange({ actorId: undefined })}
          />
        </Arm>
      )}
    </div>
  )
}

/** The first and the last day of the entries. */
function DaysFilter({
  search: { from, to },
  onChange,
}: {
  search: LogSearch
  onChange: (part: LogSearch) => void
}) {
  const zone = getTimeZone()
  const presets = toDayPresets(dayIn(zone))
  // An address may have one of the days alone.
  const [start, end] = [from ?? to, to ?? (from && dayIn(zone))]
  const chosen = presets.find((preset) => preset.start === from && preset.end === to)
  const show = (first: string, last: string) => onChange({ from: first, to: last })
  return (
    <>
      <RangeButton
        label={text.logs.period}
        name={
          chosen
            ? figureText.figures.presets[chosen.id]
            : start && end
              ? daysName(start, end)
              : text.logs.anyTime
        }
        panel={{
          ...{ start, end, zone },
          presets: presets.map((preset) => ({
            id: preset.id,
            isChosen: preset === chosen,
            onChoose: () => show(preset.start, preset.end),
          })),
          onRange: show,
        }}
      />
      {start && (
        <IconButton
          icon="x"
          label={text.logs.anyTime}
          onClick={() => onChange({ from: undefined, to: undefined })}
        />
      )}
    </>
  )
}

/** Rows of a log that have not arrived. */
export const WAITING = { rows: 8, height: 52 }

/** A log in which nothing matches. */
export function NothingFound({ hint = text.logs.nothingHint }: { hint?: string }) {
  return (
    <Empty icon="scroll-text" title={text.logs.nothing}>
      {hint}
    </Empty>
  )
}

/** One entry: what, who and when; details open below it. */
export function LogRow({
  title,
  note,
  at,
  actor,
  onActor,
  children,
}: {
  title: ReactNode
  note?: ReactNode
  at: string
  actor: string
  /** Shows what this actor did; null: unknown. */
  onActor: (() => void) | null
  children: ReactNode
}) {
  const [isOpen, setOpen] = useState(false)
  return (
    <li className="border-t border-line text-sm first:border-t-0">
      <div className="grid min-h-[52px] grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 px-4 py-1 md:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_170px_auto]">
        <div className="min-w-0">
          <p className="font-semibold break-words">{title}</p>
          {note && <p className="break-words text-soft">{note}</p>}
        </div>
        <p className="min-w-0 max-md:order-last">
          {onActor ? (
            <button
              type="button"
              title={text.logs.onlyActor(actor)}
              className="max-w-full min-h-8 truncate text-start text-lake underline max-md:min-h-11"
              onClick={onActor}
            >
              {actor}
            </button>
          ) : (
            <span className="text-soft">{actor}</span>
          )}
        </p>
        <p className="text-soft max-md:order-last max-md:text-end">
          <ExactTime at={at} />
        </p>
        <IconButton
          className="max-md:justify-self-end"
          icon={isOpen ? 'chevron-up' : 'chevron-down'}
          label={text.logs.details}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      </div>
      {isOpen && <div className="flex flex-col gap-3 bg-sunk px-4 py-3">{children}</div>}
    </li>
  )
}

/** Names and values of an entry; what is not known is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, string | null])[] }) {
  const known = rows.filter((row): row is readonly [string, string] => row[1] !== null)
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4">
      {known.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-soft">{name}</dt>
          <dd className="font-mono break-all">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Any value as text; long ones wrap. */
export function showValue(value: unknown): string {
  if (value === null || value === undefined || value === '') return text.logs.noValue
  return typeof value === 'string' ? value : JSON.stringify(value)
}
