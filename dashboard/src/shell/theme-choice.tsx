import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/shell.ts'
import { chooseTheme } from '../kit/preferences.ts'
import { storedTheme, type Theme } from '../kit/theme.ts'

const THEMES = [
  ['light', 'sun'],
  ['dark', 'moon'],
  ['system', 'monitor'],
] as const

/** The three themes side by side. */
export function ThemeChoice() {
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState(storedTheme)
  const choose = (theme: Theme) => {
    chooseTheme(queryClient, theme)
    setChosen(theme)
  }
  return (
    <div role="group" aria-label={text.theme.label} className="flex flex-wrap px-4">
      {THEMES.map(([theme, icon]) => (
        <button
          key={theme}
          type="button"
          aria-pressed={chosen === theme}
          className="inline-flex min-h-11 items-center gap-2 border-b border-line px-3 text-sm text-soft aria-pressed:here aria-pressed:font-semibold aria-pressed:text-ink"
          onClick={() => choose(theme)}
        >
          <Icon name={icon} /> {text.theme[theme]}
        </button>
      ))}
    </div>
  )
}
