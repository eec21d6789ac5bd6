import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { DayPicker } from 'react-day-picker'
import { Icon } from '../kit/icon.tsx'
import { getLocale, getWeekStart } from '../kit/locale.ts'
import { text } from '../text/figures.ts'
import type { Preset } from './presets.ts'

/** Loaded when it is first opened, with the calendar of react-day-picker. */
export function RangePanel({
  anchor,
  title,
  start,
  end,
  zone,
  presets,
  onRange,
  onClose,
}: {
  anchor: HTMLElement | null
  title: string
  /** The first and the last day that are shown. */
  start: string | undefined
  end: string | undefined
  zone: string
  presets: readonly { id: Preset['id']; isChosen: boolean; onChoose: () => void }[]
  onRange: (start: string, end: string) => void
  onClose: () => void
}) {
  return (
    <Popover.Root
      open
      onOpenChange={(open, { event }) => {
        // The button itself closes what it has opened.
        if (!open && !anchor?.contains(event.target as Node | null)) onClose()
      }}
    >
      <Popover.Portal>
        <Popover.Positioner
          anchor={anchor}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className="z-20"
        >
          <Popover.Popup
            finalFocus={() => anchor}
            aria-label={title}
            className="flex max-h-(--available-height) overflow-y-auto rounded border border-line bg-card shadow-popup outline-none max-md:flex-col"
          >
            {presets.length > 0 && (
              <ul className="border-line py-2 max-md:grid max-md:grid-cols-2 max-md:border-b md:w-40 md:border-e">
                {presets.map(({ id, isChosen, onChoose }) => (
                  <li key={id}>
                    <button
                      type="button"
                      aria-pressed={isChosen}
                      className="flex min-h-8 w-full items-center px-4 text-start text-sm hover:bg-sunk aria-pressed:bg-sunk aria-pressed:font-semibold max-md:min-h-11"
                      onClick={() => {
                        onChoose()
                        onClose()
                      }}
                    >
                      {text.figures.presets[id]}
                    </button>
                  </li>
                ))}
              </ul>
            )}
            <Calendar
              start={start}
              end={end}
              zone={zone}
              onRange={(from, to) => {
                onRange(from, to)
                onClose()
              }}
            />
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}

/** The first day that is chosen waits for the last one, in either order. */
function Calendar({
  start,
  end,
  zone,
  onRange,
}: {
  start: string | undefined
  end: string | undefined
  zone: string
  onRange: (start: string, end: string) => void
}) {
  const [first, setFirst] = useState<Date | null>(null)
  const selected = first
    ? { from: first, to: first }
    : start && end
      ? { from: toDate(start), to: toDate(end) }
      : undefined
  const today = toDate(new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now()))
  const monthName = format({ month: 'long', year: 'numeric' })
  const dayName = format({ dateStyle: 'full' })
  return (
    <div className="p-3">
      <DayPicker
        mode="range"
        selected={selected}
        onSelect={(_, day) => {
          if (!first) return setFirst(day)
          const [from, to] = first <= day ? [first, day] : [day, first]
          onRange(toDay(from), toDay(to))
        }}
        autoFocus
        showOutsideDays
        fixedWeeks
        navLayout="around"
        weekStartsOn={(getWeekStart() % 7) as 0 | 1 | 2 | 3 | 4 | 5 | 6}
        dir={document.documentElement.dir || 'ltr'}
        today={today}
        disabled={{ after: today }}
        endMonth={today}
        defaultMonth={selected?.to ?? today}
        formatters={{
          formatCaption: monthName,
          formatWeekdayName: format({ weekday: 'narrow' }),
          formatDay: format({ day: 'numeric' }),
        }}
        labels={{
          labelPrevious: () => text.figures.previousMonth,
          labelNext: () => text.figures.nextMonth,
          labelGrid: monthName,
          labelWeekday: format({ weekday: 'long' }),
          labelDayButton: dayName,
        }}
        components={COMPONENTS}
        classNames={CLASSES}
      />
      <p className="px-1 pt-2 text-xs text-soft" aria-live="polite">
        {first ? text.figures.chooseLast : text.figures.chooseFirst}
      </p>
    </div>
  )
}

function Chevron({ orientation }: { orientation?: 'left' | 'right' | 'up' | 'down' }) {
  return <Icon name={orientation === 'left' ? 'chevron-left' : 'chevron-right'} />
}

const COMPONENTS = { Chevron }
const DAY = 'size-9 rounded text-sm hover:bg-sunk max-md:size-11'
const CLASSES = {
  month: 'grid grid-cols-[36px_1fr_36px] items-center gap-y-2 max-md:grid-cols-[44px_1fr_44px]',
  month_caption: 'text-center text-sm font-semibold',
  button_previous:
    'inline-flex size-9 items-center justify-center rounded hover:bg-sunk aria-disabled:opacity-40 max-md:size-11',
  button_next:
    'inline-flex size-9 items-center justify-center rounded hover:bg-sunk aria-disabled:opacity-40 max-md:size-11',
  month_grid: 'col-span-3 border-collapse',
  weekday: 'h-8 text-xs font-normal text-soft',
  day: 'p-0 text-center',
  day_button: DAY,
  range_middle: 'bg-lake-fill',
  range_start: 'rounded-s bg-lake text-paper [&_button]:hover:bg-lake',
  range_end: 'rounded-e bg-lake text-paper [&_button]:hover:bg-lake',
  today: 'font-bold underline decoration-way decoration-3 underline-offset-4',
  outside: 'text-soft',
  disabled: 'opacity-40',
}

const formats = new Map<string, Intl.DateTimeFormat>()

/** In the user's language. The calendar's dates are in the browser's time zone. */
function format(options: Intl.DateTimeFormatOptions): (date: Date) => string {
  const key = JSON.stringify([getLocale(), options])
  const known = formats.get(key) ?? new Intl.DateTimeFormat(getLocale(), options)
  formats.set(key, known)
  return (date) => known.format(date)
}

/** Noon, which every zone has on every day. */
function toDate(day: string): Date {
  return new Date(`${day}T12:00`)
}

function toDay(date: Date): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}
