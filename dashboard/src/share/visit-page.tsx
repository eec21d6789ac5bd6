import { useEffect } from 'react'
import { Button } from '../kit/button.tsx'
import { Skeleton } from '../kit/layout.tsx'
import { text } from '../text/share.ts'
import { Numbers } from './numbers.tsx'
import { Sign } from './sign.tsx'
import { UnlockForm } from './unlock-form.tsx'
import { useVisit } from './use-visit.ts'

/** The page of a shared dashboard, in each of its states. */
export function VisitPage({ token, isGone }: { token: string; isGone: boolean }) {
  const { visit, data, open } = useVisit(token, isGone)
  const kind = visit?.kind
  const title =
    kind === 'gone'
      ? text.share.gone.title
      : kind === 'locked'
        ? text.share.locked.title
        : data?.title
  useEffect(() => {
    if (title !== undefined) document.title = title
  }, [title])
  if (visit?.kind === 'gone')
    return (
      <Sign title={text.share.gone.title}>
        <p className="text-soft">{text.share.gone.intro}</p>
      </Sign>
    )
  if (visit?.kind === 'locked') return <UnlockForm open={open} />
  if (data) return <Numbers data={data} isAway={visit?.kind === 'failed'} />
  if (visit?.kind === 'failed')
    return (
      <Sign title={text.share.failed.title}>
        <p className="text-soft">{text.share.failed.intro}</p>
        <Button look="primary" className="mt-5" icon="refresh-cw" onClick={() => void open(null)}>
          {text.share.failed.retry}
        </Button>
      </Sign>
    )
  return (
    <main className="mx-auto max-w-5xl px-5 py-8" aria-busy="true" aria-label={text.share.loading}>
      <Skeleton rows={8} height={56} />
    </main>
  )
}
