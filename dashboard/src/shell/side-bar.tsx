import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { sessionQuery } from '../api/session.ts'
import { Key } from '../kit/button.tsx'
import { getTimeZone } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { Logo } from '../kit/logo.tsx'
import { DESTINATIONS, GROUPS, useReadable } from '../kit/navigation.ts'
import { text } from '../text/shell.ts'
import { AccountMenu } from './account-menu.tsx'
import { openPalette } from './keyboard.tsx'
import { getPaletteKeys } from './palette-keys.ts'
import { WorkspaceMenu } from './workspace-menu.tsx'

type Workspace = Schemas['Workspace']

/** The navigation of wide screens. */
export function SideBar({
  workspace,
  workspaces,
}: {
  workspace: Workspace
  workspaces: readonly Workspace[]
}) {
  const session = useQuery(sessionQuery)
  const destinations = useReadable(DESTINATIONS)
  return (
    <header className="sticky top-0 flex h-dvh flex-col gap-3 border-e border-line py-5 max-md:hidden">
      <Link
        to="/$workspaceId"
        params={{ workspaceId: workspace.id }}
        className="flex items-center gap-2 px-6 text-lg font-bold text-ink no-underline"
      >
        <Logo /> Signpost
      </Link>
      <div className="px-4">
        <WorkspaceMenu workspace={workspace} workspaces={workspaces} />
      </div>
      <nav aria-label={text.nav.label} className="flex flex-col gap-4 overflow-y-auto ps-4">
        {GROUPS.map((group) => (
          <div key={group} className="flex flex-col gap-0.5">
            {destinations
              .filter((destination) => destination.group === group)
              .map(({ to, label, icon }) => (
                <Link
                  key={to}
                  to={to}
                  params={{ workspaceId: workspace.id }}
                  activeOptions={{ exact: to === '/$workspaceId', includeSearch: false }}
                  className="flex min-h-9 items-center gap-2.5 px-3 text-base text-soft no-underline hover:text-ink"
                  activeProps={{ className: 'arm bg-way text-on-way! font-semibold' }}
                >
                  <Icon name={icon} /> {label()}
                </Link>
              ))}
          </div>
        ))}
      </nav>
      <div className="mt-auto flex flex-col gap-2 px-4">
        <button
          type="button"
          onClick={openPalette}
          className="flex min-h-9 items-center gap-2 rounded px-2 text-sm text-soft hover:bg-sunk"
        >
          <Icon name="search" />
          <span className="min-w-0 flex-1 truncate text-start">{text.nav.search}</span>
          <span className="shrink-0 whitespace-nowrap">
            <Key>{getPaletteKeys()}</Key>
          </span>
        </button>
        {session.data && <AccountMenu session={session.data} zone={getTimeZone()} />}
      </div>
    </header>
  )
}
