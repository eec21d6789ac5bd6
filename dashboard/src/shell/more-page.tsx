import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { sessionQuery, workspacesQuery } from '../api/session.ts'
import { useWorkspace } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card, PageHead } from '../kit/layout.tsx'
import { DESTINATIONS, IN_BAR, useReadable } from '../kit/navigation.ts'
import { text } from '../text/shell.ts'
import { openPalette } from './keyboard.tsx'
import { ThemeChoice } from './theme-choice.tsx'
import { useSignOut } from './use-sign-out.ts'

const ROW =
  'flex min-h-11 w-full items-center gap-3 px-4 text-base text-ink no-underline hover:bg-sunk'

/** Entries for which the bar of a phone has no room: other pages, workspaces, the user. */
export function MorePage() {
  const { id: workspaceId } = useWorkspace()
  const workspaces = useQuery(workspacesQuery)
  const session = useQuery(sessionQuery)
  const destinations = useReadable(DESTINATIONS.slice(IN_BAR))
  const signOut = useSignOut()
  return (
    <>
      <PageHead title={text.nav.more}>
        <Button icon="search" onClick={openPalette}>
          {text.nav.find}
        </Button>
      </PageHead>
      <div className="flex flex-col gap-4">
        <nav aria-label={text.nav.more}>
          <Rows>
            {destinations.map(({ to, label, icon }) => (
              <li key={to}>
                <Link to={to} params={{ workspaceId }} className={ROW}>
                  <Icon name={icon} className="text-soft" /> {label()}
                </Link>
              </li>
            ))}
          </Rows>
        </nav>
        <Card title={text.nav.workspaces}>
          <ul className="py-2">
            {workspaces.data?.map(({ id, name }) => (
              <li key={id}>
                <Link
                  to="/$workspaceId"
                  params={{ workspaceId: id }}
                  aria-current={id === workspaceId ? 'true' : undefined}
                  className={ROW}
                >
                  <Icon name="check" className={id === workspaceId ? '' : 'invisible'} />
                  <span className="truncate">{name}</span>
                </Link>
              </li>
            ))}
            <li>
              <Link to="/new-workspace" className={ROW}>
                <Icon name="plus" className="text-soft" /> {text.workspaces.add}
              </Link>
            </li>
          </ul>
        </Card>
        <Card
          title={session.data?.user.name ?? text.nav.accountTitle}
          note={session.data?.user.email}
        >
          <div className="flex flex-col gap-2 py-2">
            {session.data?.isOperator && (
              <Link to="/server" search={{ from: workspaceId }} className={ROW}>
                <Icon name="monitor-cog" className="text-soft" /> {text.nav.server}
              </Link>
            )}
            <ThemeChoice />
            <button type="button" className={ROW} onClick={() => void signOut()}>
              <Icon name="log-out" className="text-soft" /> {text.nav.signOut}
            </button>
          </div>
        </Card>
      </div>
    </>
  )
}

function Rows({ children }: { children: ReactNode }) {
  return <ul className="rounded border border-line bg-card py-1">{children}</ul>
}
