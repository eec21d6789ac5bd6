export type Theme = 'light' | 'dark' | 'system'

const KEY = 'signpost.theme'

/** The theme of this browser: that of the system until the user chooses one. */
export function storedTheme(): Theme {
  const theme = localStorage.getItem(KEY)
  return theme === 'light' || theme === 'dark' ? theme : 'system'
}

export function setTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(KEY)
  else localStorage.setItem(KEY, theme)
  applyStoredTheme()
}

export function applyStoredTheme(): void {
  const theme = storedTheme()
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
}
