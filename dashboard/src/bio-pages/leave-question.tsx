import { useBlocker } from '@tanstack/react-router'
import { Button } from '../kit/button.tsx'
import { Popup } from '../kit/drawer.tsx'
import { text } from '../text/bio-pages.ts'

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
      title={text.bioPages.leaveTitle}
      onClose={blocker.reset}
      foot={
        <>
          <Button onClick={blocker.reset}>{text.bioPages.stay}</Button>
          <Button look="danger" onClick={blocker.proceed}>
            {text.bioPages.leave}
          </Button>
        </>
      }
    >
      <p className="text-sm">{text.bioPages.leaveExplain}</p>
    </Popup>
  )
}
