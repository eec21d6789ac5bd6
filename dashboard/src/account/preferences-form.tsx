import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../kit/button.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { SelectField } from '../kit/field.tsx'
import { formatDateTime } from '../kit/format.ts'
import { formatNumber, getLocale } from '../kit/locale.ts'
import { savePreferences } from '../kit/preferences.ts'
import { useAction } from '../kit/use-action.ts'
import { lazyPart } from '../kit/lazy-part.tsx'
import { LANGUAGES, MAIL_LANGUAGES } from '../text/languages.ts'
import { text } from '../text/account.ts'
import type { Preferences } from './queries.ts'
import { Section } from './section.tsx'

const ZonePicker = lazyPart(() => import('../kit/zone-picker.tsx'), 'ZonePicker')

/** Regions whose numbers and dates differ; others are those of the browser. */
const LOCALES = 'en-GB en-US de de-CH fr es it nl pl pt-BR sv da cs tr ja ko zh hi ar'.split(' ')
const EXAMPLE_NUMBER = 12_408.5

/** Settings for times and numbers, which follow the user to every browser. A change is saved at once. */
export function PreferencesForm({ preferences }: { preferences: Preferences }) {
  const [isZoneOpen, setZoneOpen] = useState(false)
  const queryClient = useQueryClient()
  const save = useAction((change: Partial<Preferences>) => savePreferences(queryClient, change), {
    showsErrors: true,
  })
  const { timezone, language, locale, weekStart, theme } = preferences
  const shown = text.account
  return (
    <Section title={shown.preferences} note={shown.preferencesNote}>
      <div className="flex flex-col gap-1">
        <span className="text-sm font-semibold">{shown.zone}</span>
        <div className="flex flex-wrap items-center gap-2">
          <Button icon="globe" onClick={() => setZoneOpen(true)}>
            {timezone ?? shown.zoneUnset}
          </Button>
          {timezone !== null && (
            <Button look="quiet" onClick={() => save.mutate({ timezone: null })}>
              {shown.zoneReset}
            </Button>
          )}
        </div>
      </div>
      <SelectField
        label={shown.language}
        hint={shown.languageHint}
        value={language ?? ''}
        options={[
          { value: '', label: shown.asBrowser },
          ...optionsOf(LANGUAGES),
          ...optionsOf(MAIL_LANGUAGES, shown.mailsOnly),
        ]}
        onValue={(value) => save.mutate({ language: value === '' ? null : value })}
      />
      <SelectField
        label={shown.locale}
        hint={shown.example(formatNumber(EXAMPLE_NUMBER), formatDateTime(new Date().toISOString()))}
        value={locale ?? ''}
        options={[
          { value: '', label: shown.asLocale },
          ...Array.from(new Set([...LOCALES, ...(locale ? [locale] : [])]), (tag) => ({
            value: tag,
            label: nameOfLocale(tag),
          })),
        ]}
        onValue={(value) => save.mutate({ locale: value || null })}
      />
      <SelectField
        label={shown.weekStart}
        hint={shown.weekStartHint}
        value={weekStart === null ? '' : String(weekStart)}
        options={[{ value: '', label: shown.asLocale }, ...weekDays()]}
        onValue={(value) => save.mutate({ weekStart: value ? Number(value) : null })}
      />
      <SelectField
        label={text.theme.label}
        value={theme ?? 'system'}
        options={(['system', 'light', 'dark'] as const).map((each) => ({
          value: each,
          label: text.theme[each],
        }))}
        onValue={(value) => save.mutate({ theme: value })}
      />
      <ErrorNote error={save.error} />
      {isZoneOpen && (
        <ZonePicker
          value={timezone ?? ''}
          onChoose={(zone) => save.mutate({ timezone: zone })}
          onClose={() => setZoneOpen(false)}
        />
      )}
    </Section>
  )
}

/** Languages as choices. */
function optionsOf<Tag extends string>(
  languages: Readonly<Record<Tag, string>>,
  say = (name: string) => name,
): { value: Tag; label: string }[] {
  return (Object.keys(languages) as Tag[]).map((value) => ({ value, label: say(languages[value]) }))
}

function nameOfLocale(tag: string): string {
  return new Intl.DisplayNames([tag], { type: 'language' }).of(tag) ?? tag
}

/** Monday is 1, as in ISO 8601; 1 January 2024 was one. */
function weekDays() {
  const format = new Intl.DateTimeFormat(getLocale(), { weekday: 'long', timeZone: 'UTC' })
  return [1, 2, 3, 4, 5, 6, 7].map((day) => ({
    value: String(day),
    label: format.format(new Date(Date.UTC(2024, 0, day))),
  }))
}
