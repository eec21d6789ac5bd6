import { FilterSelect } from '../kit/filter-select.tsx'
import type { Bound } from '../kit/use-form.ts'
import { text } from '../text/api-keys.ts'
import { areasOf, type Access, type Level } from './scopes.ts'

/** Each allows no more than those before it. */
const KINDS = ['full', 'read', 'chosen'] as const

/** Everything, reading alone, or a level for each area. */
export function ScopeFields({
  value: access,
  before,
  limit,
  error,
  onValue,
}: Bound<Access> & {
  before: Access
  /** What an app asks for, which can be reduced. */
  limit?: Access
}) {
  const kinds = limit ? KINDS.slice(KINDS.indexOf(limit.kind)) : KINDS
  return (
    <fieldset className="flex flex-col">
      <legend className="text-sm font-semibold">{text.apiKeys.access}</legend>
      {(kinds.length > 1 ? kinds : []).map((kind) => (
        <label key={kind} className="flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
          <input
            type="radio"
            name="access"
            className="size-4 accent-lake"
            checked={access.kind === kind}
            onChange={() => onValue({ ...access, kind })}
          />
          {text.apiKeys.accesses[kind]}
        </label>
      ))}
      {access.kind === 'chosen' && (
        <ul className="mt-1 rounded border border-line bg-card">
          {areasOf(before.levels, limit).map(({ area, levels }) => (
            <li
              key={area}
              className="flex items-center justify-between gap-3 border-t border-line px-3 py-1 text-sm first:border-t-0"
            >
              {text.apiKeys.areas[area]}
              <FilterSelect
                label={text.apiKeys.scopesOf(text.apiKeys.areas[area])}
                value={access.levels[area] ?? 'none'}
                options={levels.map((level) => ({ value: level, label: nameOf(level, levels) }))}
                onValue={(level) =>
                  onValue({ ...access, levels: { ...access.levels, [area]: level } })
                }
              />
            </li>
          ))}
        </ul>
      )}
      {error && <p className="text-sm text-stop">{error}</p>}
    </fieldset>
  )
}

function nameOf(level: Level, levels: readonly Level[]): string {
  const isAlone = level === 'write' && !levels.includes('read')
  return isAlone ? text.apiKeys.writeOnly : text.apiKeys.levels[level]
}
