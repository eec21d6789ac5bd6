import { useBlocker } from '@tanstack/react-router'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { text } from '../text/en-bio-pages.ts'

const words = text.bioPages

/** Asks before changes that are not saved get lost; the browser asks where its tab is closed. */
export function LeaveQuestion({ isChanged }: { isChanged: boolean }) {
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => current.pathname !== next.pathname,
    enableBeforeUnload: true,
    disabled: !isChanged,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Popup
      title={words.leaveTitle}
      onClose={blocker.reset}
      foot={
        <>
          <Button onClick={blocker.reset}>{words.stay}</Button>
          <Button look="danger" onClick={blocker.proceed}>
            {words.leave}
          </Button>
        </>
      }
    >
      <p className="text-sm">{words.leaveExplain}</p>
    </Popup>
  )
}
