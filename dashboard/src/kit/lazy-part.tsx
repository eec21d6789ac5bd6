import { lazy, Suspense, type ComponentProps, type ComponentType, type ReactNode } from 'react'
import { whenAnswered } from '../api/connection.ts'
import { textsLoaded } from '../text/load.ts'

// eslint-disable-next-line typescript/no-explicit-any -- any component, whatever its properties
type Part = ComponentType<any>

/** Loads code together with its texts, also where the server is away at that moment. */
export function withTexts<T>(load: () => Promise<T>): Promise<T> {
  return whenAnswered(async () => {
    const loaded = await load()
    await textsLoaded()
    return loaded
  })
}

/** A part of a page whose code is loaded when it is first shown, also where the server is away at that moment. */
export function lazyPart<Name extends string, P extends Part>(
  load: () => Promise<Record<Name, P>>,
  name: Name,
  waiting: ReactNode = null,
) {
  const Loaded = lazy(() => withTexts(load).then((module) => ({ default: module[name] as Part })))
  return (props: ComponentProps<P>) => (
    <Suspense fallback={waiting}>
      <Loaded {...props} />
    </Suspense>
  )
}
