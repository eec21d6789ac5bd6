import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { formatDay } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { lazyPart } from '../kit/lazy-part.tsx'
import { text } from '../text/figures.ts'

const RangePanel = lazyPart(() => import('./range-panel.tsx'), 'RangePanel')

type Panel = Parameters<typeof RangePanel>[0]

/** A button with the name of a period, which opens its presets and a calendar. */
export function RangeButton({
  label,
  name,
  panel,
}: {
  label: string
  name: string
  panel: Omit<Panel, 'anchor' | 'title' | 'onClose'>
}) {
  const [button, setButton] = useState<HTMLButtonElement | null>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        ref={setButton}
        icon="calendar"
        aria-label={`${label}: ${name}`}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {name} <Icon name="chevron-down" size={14} />
      </Button>
      {isOpen && (
        <RangePanel {...panel} anchor={button} title={label} onClose={() => setOpen(false)} />
      )}
    </>
  )
}

/** The present day of a zone: 2026-11-28. */
export function dayIn(zone: string): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(Date.now())
}

export function daysName(start: string, end: string): string {
  return start === end ? dayName(start) : text.figures.days(dayName(start), dayName(end))
}

function dayName(day: string): string {
  return formatDay(`${day}T00:00:00Z`, 'UTC')
}
