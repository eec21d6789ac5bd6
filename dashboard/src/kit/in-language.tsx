import { DirectionProvider } from '@base-ui/react/direction-provider'
import { Fragment, useSyncExternalStore, type ReactNode } from 'react'
import { directionOf } from '../text/languages.ts'
import { getLanguage, subscribeLanguage } from '../text/load.ts'

/** Shows everything anew when the language changes: texts are read while rendering, and told to nobody. */
export function InLanguage({ children }: { children: ReactNode }) {
  const language = useSyncExternalStore(subscribeLanguage, getLanguage)
  return (
    <DirectionProvider direction={directionOf(language)}>
      <Fragment key={language}>{children}</Fragment>
    </DirectionProvider>
  )
}
