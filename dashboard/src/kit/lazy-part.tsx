import { lazy, Suspense, type ComponentProps, type ComponentType, type ReactNode } from 'react'
import { whenAnswered } from '../api/connection.ts'
import { textsLoaded } from '../text/load.ts'
import { useEscape } from './use-escape.ts'

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

/** After the first paint of most pages. */
const IDLE_MS = 2_000

/**
 * A part of a page whose code is loaded when the page has nothing else to do, or when it is first shown, also where the
 * server is away at that moment.
 */
export function lazyPart<Name extends string, P extends Part>(
  load: () => Promise<Record<Name, P>>,
  name: Name,
  waiting: ReactNode = null,
) {
  const Loaded = lazy(() => withTexts(load).then((module) => ({ default: module[name] as Part })))
  // A failure is told when the part is shown, which asks again.
  setTimeout(() => void load().catch(() => {}), IDLE_MS)
  return (props: ComponentProps<P>) => (
    <Suspense fallback={<Waiting onClose={closeOf(props)}>{waiting}</Waiting>}>
      <Loaded {...props} />
    </Suspense>
  )
}

function closeOf(props: object): (() => void) | undefined {
  return 'onClose' in props ? (props.onClose as () => void) : undefined
}

function Waiting({
  onClose,
  children,
}: {
  onClose: (() => void) | undefined
  children: ReactNode
}) {
  useEscape(onClose)
  return children
}
