import { INPUT } from '../kit/field.tsx'
import { text } from '../text/en.ts'
import { areasOf, type Access, type Level } from './scopes.ts'

const KINDS = ['full', 'read', 'chosen'] as const

/** Everything, reading alone, or a level for each area. */
export function ScopeFields({
  access,
  before,
  error,
  onChange,
}: {
  access: Access
  before: Access
  error: string | undefined
  onChange: (access: Access) => void
}) {
  return (
    <fieldset className="flex flex-col">
      <legend className="text-sm font-semibold">{text.apiKeys.access}</legend>
      {KINDS.map((kind) => (
        <label key={kind} className="flex min-h-9 items-center gap-2 text-sm max-md:min-h-11">
          <input
            type="radio"
            name="access"
            className="size-4 accent-lake"
            checked={access.kind === kind}
            onChange={() => onChange({ ...access, kind })}
          />
          {text.apiKeys.accesses[kind]}
        </label>
      ))}
      {access.kind === 'chosen' && (
        <ul className="mt-1 rounded border border-line bg-card">
          {areasOf(before.levels).map(({ area, levels }) => (
            <li
              key={area}
              className="flex items-center justify-between gap-3 border-t border-line px-3 py-1 text-sm first:border-t-0"
            >
              {text.apiKeys.areas[area]}
              <select
                aria-label={text.apiKeys.scopesOf(text.apiKeys.areas[area])}
                className={`${INPUT} w-40! text-sm!`}
                value={access.levels[area] ?? 'none'}
                onChange={(event) =>
                  onChange({
                    ...access,
                    levels: { ...access.levels, [area]: event.target.value as Level },
                  })
                }
              >
                {levels.map((level) => (
                  <option key={level} value={level}>
                    {level === 'write' && !levels.includes('read')
                      ? text.apiKeys.writeOnly
                      : text.apiKeys.levels[level]}
                  </option>
                ))}
              </select>
            </li>
          ))}
        </ul>
      )}
      {error && <p className="text-sm text-stop">{error}</p>}
    </fieldset>
  )
}
