import { Link } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { Icon } from '../kit/icon.tsx'
import { Menu, MenuItem, MenuLine } from '../kit/menu.tsx'
import { text } from '../text/shell.ts'

type Workspace = Schemas['Workspace']

/** The workspace of this tab, and the others of the user. */
export function WorkspaceMenu({
  workspace,
  workspaces,
}: {
  workspace: Workspace
  workspaces: readonly Workspace[]
}) {
  return (
    <Menu
      align="start"
      trigger={
        <button
          type="button"
          aria-label={text.nav.workspace(workspace.name)}
          className="flex min-h-9 w-full items-center justify-between gap-2 rounded border border-edge bg-card px-3 text-base font-semibold"
        >
          <span className="truncate">{workspace.name}</span>
          <Icon name="chevrons-up-down" />
        </button>
      }
    >
      {workspaces.map(({ id, name }) => (
        <MenuItem key={id} render={<Link to="/$workspaceId" params={{ workspaceId: id }} />}>
          <Icon name="check" className={id === workspace.id ? '' : 'invisible'} />
          <span className="max-w-60 truncate">{name}</span>
        </MenuItem>
      ))}
      <MenuLine />
      <MenuItem icon="plus" render={<Link to="/new-workspace" />}>
        {text.workspaces.add}
      </MenuItem>
    </Menu>
  )
}
