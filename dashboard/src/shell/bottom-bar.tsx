import { Link } from '@tanstack/react-router'
import { useWorkspace } from '../api/workspace.ts'
import { Icon } from '../kit/icon.tsx'
import { text } from '../text/en.ts'
import { DESTINATIONS } from './destinations.ts'

/** The navigation of phones, within reach of the thumb. */
export function BottomBar() {
  const { id: workspaceId } = useWorkspace()
  return (
    <nav
      aria-label={text.nav.label}
      className="fixed inset-x-0 bottom-0 z-10 grid grid-cols-4 border-t border-line bg-card pb-[env(safe-area-inset-bottom)] md:hidden"
    >
      {DESTINATIONS.map(({ to, label, icon, exact }) => (
        <Link
          key={to}
          to={to}
          params={{ workspaceId }}
          activeOptions={{ exact, includeSearch: false }}
          className="group flex min-h-14 flex-col items-center justify-center gap-0.5 text-xs text-soft no-underline"
          activeProps={{ className: 'font-semibold text-ink!' }}
        >
          <span className="group-[.active]:arm inline-flex h-7 items-center px-3 group-[.active]:bg-way group-[.active]:text-on-way">
            <Icon name={icon} size={20} />
          </span>
          {label}
        </Link>
      ))}
    </nav>
  )
}
