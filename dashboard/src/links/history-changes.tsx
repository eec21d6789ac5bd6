import type { Schemas } from '../api/client.ts'
import { formatDateTime } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/link-page.ts'

const TIMES = new Set(['expiresAt', 'startsAt', 'variantsUntil', 'archivedAt'])
type Change = { old?: unknown; new?: unknown }
type Named = { id: string; name: string }
/** Names of groups by their ids; undefined until they are read. */
type Names = {
  folders: readonly Named[] | undefined
  campaigns: readonly Named[] | undefined
  domains: readonly { id: string; hostname: string }[] | undefined
}

/** Changes of an entry in words: the old value struck through, an arrow, the new one. */
export function Changes({
  entry: { changes },
  names,
}: {
  entry: Schemas['LinkHistoryEntry']
  names: Names
}) {
  const entries = Object.entries(changes)
  if (entries.length === 0) return <p className="flex-1 py-1.5">{text.linkHistory.created}</p>
  return (
    <ul className="min-w-40 flex-1 py-1.5">
      {entries.map(([field, change]) => {
        const { old, new: now } = (change ?? {}) as Change
        const before = show(field, old, names)
        return (
          <li key={field} className="break-words">
            <span className="text-soft">{text.linkHistory.fields[field] ?? field}</span>{' '}
            {field === 'password' ? (
              <b className="font-semibold">{text.linkHistory.password}</b>
            ) : (
              <>
                {before !== null && <s className="break-all text-soft">{before}</s>}{' '}
                <Icon name="arrow-right" size={12} className="inline" />{' '}
                <b className="font-semibold break-all">
                  {show(field, now, names) ?? text.history.nothing}
                </b>
              </>
            )}
          </li>
        )
      })}
    </ul>
  )
}

/** A value as a user reads it; null: there is none. */
function show(field: string, value: unknown, names: Names): string | null {
  if (value === null || value === undefined || value === '') return null
  if (typeof value === 'boolean') return value ? text.linkHistory.on : text.linkHistory.off
  if (typeof value === 'number') return String(value)
  if (typeof value === 'string') return showText(field, value, names)
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (value.length === 0) return null
  if (value.every((each) => typeof each === 'string')) return value.join(', ')
  return value.map((each) => showOption(each as Option)).join('; ')
}

function showText(field: string, value: string, names: Names): string {
  if (TIMES.has(field)) return formatDateTime(value)
  if (field === 'folderId') return names.folders?.find(({ id }) => id === value)?.name ?? value
  if (field === 'campaignId') return names.campaigns?.find(({ id }) => id === value)?.name ?? value
  if (field === 'domainId') return names.domains?.find(({ id }) => id === value)?.hostname ?? value
  return field === 'status'
    ? ((text.links.statuses as Record<string, string>)[value] ?? value)
    : withoutScheme(value)
}

type Option = {
  name?: string
  destinationUrl?: string
  weight?: number
  conditions?: Record<string, unknown>
}

/** A rule or a variant: what it is for, and where it leads. */
function showOption({ name, destinationUrl, weight, conditions }: Option): string {
  const conditionText = Object.values(conditions ?? {})
    .map((value) => (Array.isArray(value) ? value.join(', ') : JSON.stringify(value)))
    .join(' & ')
  const what = name || (weight === undefined ? conditionText : text.linkPage.share(weight))
  return `${what} → ${withoutScheme(destinationUrl ?? '')}`
}
