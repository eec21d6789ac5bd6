import { ErrorNote } from '../kit/error-note.tsx'
import { text } from '../text/shared.ts'

/** A page whose data could not be read, or whose code failed. */
export function RouteError({ error, reset }: { error: unknown; reset: () => void }) {
  return (
    <main className="mx-auto max-w-xl p-6">
      <ErrorNote error={error} onRetry={reset} />
      <p className="pt-4">
        <a href="/app/">{text.errors.goHome}</a>
      </p>
    </main>
  )
}
