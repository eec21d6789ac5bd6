import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { fieldErrorsOf } from '../api/errors.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { CheckField, SelectField, TextField } from '../kit/field.tsx'
import { formatCountry } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Arm, Skeleton } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { fromLocalTime } from '../kit/local-time.ts'
import { text } from '../text/link-page.ts'
import { useSettled } from '../kit/use-settled.ts'
import { sayLabel } from './condition-fields.tsx'

const TYPING_MS = 300

/** User agents as such visitors send them. */
const AGENTS = {
  iphone:
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  android:
    'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
  windows:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  linux: 'Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0',
  messenger: 'WhatsApp/2.23.20.0',
  crawler: 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  own: navigator.userAgent,
} as const
type Agent = keyof typeof AGENTS

export type Visit = {
  userAgent?: string
  country?: string
  language?: string
  query?: string
  at?: string
  unlocked?: boolean
}
type Explanation = Schemas['LinkExplanation']

type VisitDraft = {
  agent: Agent
  country: string
  language: string
  query: string
  at: string
  unlocked: boolean
}
const FIRST_VISIT: VisitDraft = {
  agent: 'iphone',
  country: '',
  language: '',
  query: '',
  at: '',
  unlocked: false,
}

type Props = {
  /** Tells questions about different links or drafts apart. */
  about: readonly unknown[]
  ask: (visit: Visit, signal: AbortSignal) => Promise<Explanation>
  /** What to call a rule without a name. */
  nameOf?: (step: string) => string | undefined
  hasPassword: boolean
  onClose: () => void
}

/** "Where would this visitor go?": a visit to describe, the answer to it, and the steps that lead there. */
export function ExplainDrawer({ about, ask, nameOf, hasPassword, onClose }: Props) {
  const { id } = useWorkspace()
  const [draft, setDraft] = useState(FIRST_VISIT)
  const change = (part: Partial<VisitDraft>) => setDraft((now) => ({ ...now, ...part }))
  const visit = useSettled(toVisit(draft), TYPING_MS)
  const answer = useQuery({
    queryKey: [id, 'explain', ...about, visit],
    queryFn: ({ signal }) => ask(visit, signal),
    placeholderData: (before) => before,
    retry: false,
  })
  const errors = fieldErrorsOf(answer.error)
  const errorOf = (field: keyof Visit) => errors[field] ?? errors[`visit.${field}`]
  const isOfVisit = (['country', 'language', 'query', 'at'] as const).some(errorOf)
  return (
    <Drawer title={text.explain.title} onClose={onClose}>
      <p className="text-sm text-soft">{text.explain.explain}</p>
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label={text.explain.visitor}
          value={draft.agent}
          options={optionsOf(text.explain.visitors)}
          onValue={(agent) => change({ agent })}
        />
        <TextField
          label={text.explain.country}
          hint={
            draft.country.length === 2
              ? formatCountry(draft.country.toUpperCase())
              : text.explain.countryHint
          }
          maxLength={2}
          autoComplete="off"
          value={draft.country}
          onValue={(country) => change({ country })}
          error={errorOf('country')}
        />
        {(['language', 'query', 'at'] as const).map((field) => (
          <TextField
            key={field}
            label={text.explain[field]}
            hint={text.explain[`${field}Hint`]}
            type={field === 'at' ? 'datetime-local' : 'text'}
            autoComplete="off"
            value={draft[field]}
            onValue={(value) => change({ [field]: value })}
            error={errorOf(field)}
          />
        ))}
      </div>
      {hasPassword && (
        <CheckField
          label={text.explain.unlocked}
          value={draft.unlocked}
          onValue={(unlocked) => change({ unlocked })}
        />
      )}
      {!isOfVisit && <ErrorNote error={answer.error} />}
      {answer.isPending && <Skeleton rows={3} />}
      {answer.data && !answer.error && (
        <Answer answer={answer.data} nameOf={nameOf} isDimmed={answer.isPlaceholderData} />
      )}
    </Drawer>
  )
}

/** Fields that are empty are unknown, as on the edge. */
function toVisit({ agent, country, language, query, at, unlocked }: VisitDraft): Visit {
  return {
    userAgent: AGENTS[agent],
    ...(/^[a-z]{2}$/i.test(country.trim()) ? { country: country.trim() } : {}),
    ...(language.trim() ? { language: language.trim() } : {}),
    ...(query.trim() ? { query: query.trim() } : {}),
    ...(at ? { at: fromLocalTime(at)! } : {}),
    ...(unlocked ? { unlocked } : {}),
  }
}

function Answer({
  answer: { outcome, status, location, page, steps },
  nameOf,
  isDimmed,
}: {
  answer: Explanation
  nameOf: Props['nameOf']
  isDimmed: boolean
}) {
  return (
    <div className={isDimmed ? 'opacity-60' : ''} aria-live="polite">
      <p className="pb-1 text-sm font-semibold">{text.explain.outcomes[outcome](status)}</p>
      <Arm isHere className="max-w-full">
        <span className="truncate font-mono" title={location ?? undefined}>
          {location ?? `${status} ${text.explain.pages[page ?? ''] ?? ''}`}
        </span>
      </Arm>
      <h3 className="pt-4 text-sm font-semibold">{text.explain.steps}</h3>
      <ol className="text-sm">
        {steps.map(({ step, result, name, unmet }, index) => (
          <li
            key={`${step}-${index}`}
            className="flex items-start gap-2 border-t border-line py-2 first:border-t-0"
          >
            <Icon
              name={result === 'answer' ? 'circle-check' : 'arrow-down'}
              className={`mt-0.5 ${result === 'answer' ? 'text-ok' : 'text-soft'}`}
            />
            <div className="min-w-0 break-words">
              <b className="font-semibold">
                {name || (text.explain.stepNames[step] ?? nameOf?.(step) ?? text.explain.rule)}
              </b>{' '}
              <span className="text-soft">{unmet ? sayUnmet(unmet) : because(step, result)}</span>
            </div>
          </li>
        ))}
      </ol>
    </div>
  )
}

function because(step: string, result: 'answer' | 'continue'): string {
  const [answers, goesOn] = text.explain.because[step] ?? text.explain.because.rule!
  return result === 'answer' ? answers : goesOn
}

function sayUnmet({ condition, wanted, found }: Schemas['UnmetCondition']): string {
  const { label } = text.linkOptions.conditions[condition]
  const say = (value: string) =>
    value
      .split(', ')
      .map((each) => sayLabel(condition, each))
      .join(', ')
  return text.explain.unmet(label, say(wanted), say(found))
}
