import { Link, useLocation } from '@tanstack/react-router'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { DESTINATIONS } from '../kit/navigation.ts'
import { text } from '../text/shell.ts'

const ITEM =
  'flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs text-soft no-underline'
const HERE = 'font-semibold text-ink!'

const [OVERVIEW, LINKS, ANALYTICS] = DESTINATIONS

/** The navigation of phones, within reach of the thumb. "More" stands for every page that is not in it. */
export function BottomBar() {
  const mayWrite = useMay('member')
  const { id: workspaceId } = useWorkspace()
  const isElsewhere = useIsElsewhere()
  return (
    <nav
      aria-label={text.nav.label}
      className={`fixed inset-x-0 bottom-0 z-10 grid border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden ${mayWrite ? 'grid-cols-5' : 'grid-cols-4'}`}
    >
      <Tab {...OVERVIEW} />
      <Tab {...LINKS} />
      {mayWrite && (
        <Link
          to="/$workspaceId/links"
          params={{ workspaceId }}
          search={{ new: true }}
          activeProps={{}}
          className={ITEM}
        >
          <span className="inline-flex h-7 items-center rounded bg-ink px-4 text-paper">
            <Icon name="plus" size={20} />
          </span>
          {text.nav.newLink}
        </Link>
      )}
      <Tab {...ANALYTICS} />
      <Link
        to="/$workspaceId/more"
        params={{ workspaceId }}
        className={`${ITEM} ${isElsewhere ? HERE : ''}`}
      >
        <Drawing icon="menu" isHere={isElsewhere} />
        {text.nav.more}
      </Link>
    </nav>
  )
}

function Tab({ to, label, icon }: typeof OVERVIEW | typeof LINKS | typeof ANALYTICS) {
  const { id: workspaceId } = useWorkspace()
  return (
    <Link
      to={to}
      params={{ workspaceId }}
      activeOptions={{ exact: to === OVERVIEW.to, includeSearch: false }}
      className={ITEM}
      activeProps={{ className: HERE }}
    >
      {({ isActive }) => (
        <>
          <Drawing icon={icon} isHere={isActive} />
          {label()}
        </>
      )}
    </Link>
  )
}

function Drawing({ icon, isHere }: { icon: IconName; isHere: boolean }) {
  return (
    <span className={`inline-flex h-7 items-center px-3 ${isHere ? 'arm bg-way text-on-way' : ''}`}>
      <Icon name={icon} size={20} />
    </span>
  )
}

/** Whether the present page is none of the bar's own. */
function useIsElsewhere(): boolean {
  const { id: workspaceId } = useWorkspace()
  const { pathname } = useLocation()
  const page = pathname.slice(pathname.indexOf(workspaceId) + workspaceId.length + 1)
  return page !== '' && !/^(links|analytics)(\/|$)/.test(page)
}
