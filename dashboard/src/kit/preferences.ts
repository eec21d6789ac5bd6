import type { QueryClient } from '@tanstack/react-query'
import { auth, dataOf } from '../api/client.ts'
import { sessionQuery, type SignedIn } from '../api/session.ts'
import { isLanguage, matchLanguage } from '../text/languages.ts'
import { setLanguage } from '../text/load.ts'
import { setFormats } from './locale.ts'
import { setTheme, type Theme } from './theme.ts'

type Preferences = SignedIn['preferences']

/** The zone of a workspace that no admin has set. */
const UNSET_ZONE = 'UTC'

/**
 * Shows numbers, times and colors as the user has chosen. Without a zone of the user's own it is that
 * of the workspace, or that of the browser where the workspace has none either.
 * @param workspaceZone that of the workspace of the page, null outside of workspaces; absent: as before
 */
export function applyPreferences(
  { timezone, language, locale, weekStart, theme }: Preferences,
  workspaceZone?: string | null,
): void {
  const zone = workspaceZone === UNSET_ZONE ? null : workspaceZone
  const shown = language !== null && isLanguage(language) ? language : null
  setFormats({ locale: locale ?? localeOf(language), timezone, weekStart }, zone)
  if (theme !== null) setTheme(theme)
  void setLanguage(shown ?? matchLanguage(navigator.languages))
}

/** Numbers and dates as in the language; the browser knows best which region it is. */
function localeOf(language: Preferences['language']): string | null {
  const wanted = language ?? matchLanguage(navigator.languages)
  return navigator.language.startsWith(wanted) ? null : wanted
}

/** Keeps the change in the account, so that it follows the user to other browsers. @throws ApiError */
export async function savePreferences(
  queryClient: QueryClient,
  change: Partial<Preferences>,
): Promise<void> {
  const { preferences } = await dataOf(auth.PATCH('/auth/user', { body: { preferences: change } }))
  queryClient.setQueryData(
    sessionQuery.queryKey,
    (session) => session && { ...session, preferences },
  )
  applyPreferences(preferences)
}

/** The theme of this browser at once, then that of the account. */
export function chooseTheme(queryClient: QueryClient, theme: Theme): void {
  setTheme(theme)
  void savePreferences(queryClient, { theme }).catch(() => {
    // Offline: the choice stays in this browser.
  })
}
