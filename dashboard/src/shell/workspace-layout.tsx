import { useSuspenseQuery } from '@tanstack/react-query'
import { Outlet, useParams } from '@tanstack/react-router'
import { workspacesQuery } from '../api/session.ts'
import { WorkspaceContext } from '../api/workspace.ts'
import { addIcons } from '../kit/icon.tsx'
import { MORE_PATHS } from '../kit/more-icon-paths.ts'
import { text } from '../text/shell.ts'
import { Empty } from '../kit/layout.tsx'
import { BottomBar } from './bottom-bar.tsx'
import { Keyboard } from './keyboard.tsx'
import { SideBar } from './side-bar.tsx'

addIcons(MORE_PATHS)

/** The frame of the pages of a workspace: where you are, where you can go, and the page. */
export function WorkspaceLayout() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const { data: workspaces } = useSuspenseQuery(workspacesQuery)
  const workspace = workspaces.find(({ id }) => id === workspaceId)
  if (!workspace)
    return (
      <main>
        <Empty icon="building-2" title={text.workspaces.unknown}>
          {text.workspaces.unknownExplain}
        </Empty>
      </main>
    )
  return (
    <WorkspaceContext value={workspace}>
      <a
        href="#content"
        className="fixed top-2 start-2 z-30 -translate-y-20 rounded bg-ink px-3 py-2 text-paper focus:translate-y-0"
      >
        {text.nav.skip}
      </a>
      <div className="md:grid md:grid-cols-[216px_minmax(0,1fr)]">
        <SideBar workspace={workspace} workspaces={workspaces} />
        <main
          id="content"
          tabIndex={-1}
          className="min-w-0 px-[26px] py-6 outline-none max-md:px-4 max-md:py-4 max-md:pb-24"
        >
          {workspace.isSuspended && (
            <p role="alert" className="mb-4 rounded border border-stop p-3 text-sm">
              {text.workspaces.suspended}
            </p>
          )}
          <Outlet />
        </main>
      </div>
      <BottomBar />
      <Keyboard />
    </WorkspaceContext>
  )
}
