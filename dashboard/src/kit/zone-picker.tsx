import { useState } from 'react'
import { text } from '../text/shared.ts'
import { getLocale } from './locale.ts'
import { Picker, type Choice } from './picker.tsx'

const COMMON = [
  'UTC',
  'Europe/London',
  'Europe/Berlin',
  'America/New_York',
  'America/Chicago',
  'America/Los_Angeles',
  'America/Sao_Paulo',
  'Asia/Kolkata',
  'Asia/Shanghai',
  'Asia/Tokyo',
  'Australia/Sydney',
]
const MOST = 60

/** Every time zone by search; those of the browser and of many users first. */
export function ZonePicker({
  value,
  onChoose,
  onClose,
}: {
  value: string
  onChoose: (zone: string) => void
  onClose: () => void
}) {
  const [typed, setTyped] = useState('')
  const [now] = useState(() => new Date())
  return (
    <Picker
      title={text.zones.title}
      typed={typed}
      onTyped={setTyped}
      choices={findZones(typed).map((zone): Choice => {
        return { value: zone, label: zone, note: offsetOf(zone, now), isChosen: zone === value }
      })}
      onChoose={(zone) => {
        onChoose(zone)
        onClose()
      }}
      onClose={onClose}
    />
  )
}

function findZones(typed: string): string[] {
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone
  const wanted = typed.trim().toLowerCase().replaceAll(' ', '_')
  const known = new Set([own, ...COMMON])
  if (wanted === '') return Array.from(known)
  const all = new Set([...known, ...Intl.supportedValuesOf('timeZone')])
  return Array.from(all)
    .filter((zone) => zone.toLowerCase().includes(wanted))
    .slice(0, MOST)
}

/** "GMT+1" */
function offsetOf(timeZone: string, now: Date): string {
  const format = new Intl.DateTimeFormat(getLocale(), { timeZone, timeZoneName: 'shortOffset' })
  return format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? ''
}
