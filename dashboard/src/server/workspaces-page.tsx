import { useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { FilterSelect } from '../kit/filter-select.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { optionsOf } from '../kit/lists.ts'
import { PagedList } from '../kit/paged-list.tsx'
import { readPlan } from '../kit/read-plan.ts'
import { SearchField } from '../kit/search-field.tsx'
import { text } from '../text/server.ts'
import { workspacesQuery, type ServerWorkspace } from './queries.ts'
import type { WorkspacesSearch } from './search.ts'
import { WorkspaceDrawer } from './workspace-drawer.tsx'
import { WorkspaceState } from './workspace-state.tsx'

/** Every workspace of the server, newest first. */
export function WorkspacesPage() {
  const search = useSearch({ from: '/signed-in/server/' })
  const navigate = useNavigate({ from: '/server' })
  const workspaces = usePages(workspacesQuery(search))
  const change = (part: WorkspacesSearch) =>
    void navigate({ search: (now) => ({ ...now, ...part }) })
  const { total } = workspaces
  return (
    <>
      <PageHead
        title={text.server.pages.workspaces}
        note={total !== undefined && text.server.workspaces.count(total)}
      />
      <SearchField
        label={text.server.workspaces.search}
        value={search.q}
        onValue={(q) => change({ q })}
      >
        <FilterSelect
          label={text.server.workspaces.state}
          any={text.server.workspaces.anyState}
          value={search.state}
          options={optionsOf(text.server.workspaces.states)}
          onValue={(state) => change({ state })}
        />
      </SearchField>
      <PagedList
        label={text.server.pages.workspaces}
        pages={workspaces}
        waiting={{ rows: 8, height: 64 }}
        empty={
          <Empty icon="building-2" title={text.server.noneFound}>
            {text.server.noneFoundHint}
          </Empty>
        }
      >
        {(workspace) => (
          <WorkspaceRow
            key={workspace.id}
            workspace={workspace}
            onOpen={() => change({ open: workspace.id })}
          />
        )}
      </PagedList>
      {search.open && (
        <WorkspaceDrawer
          key={search.open}
          id={search.open}
          onClose={() => change({ open: undefined })}
        />
      )}
    </>
  )
}

function WorkspaceRow({ workspace, onOpen }: { workspace: ServerWorkspace; onOpen: () => void }) {
  const { name, owner, plan, members, links, clicksThisMonth, state } = workspace
  const words = text.server.workspaces
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm first:border-t-0 md:grid-cols-[minmax(0,1fr)_7rem_14rem_7rem]">
      <div className="min-w-0">
        <button
          type="button"
          className="max-w-full min-h-8 truncate text-start text-base font-semibold underline-offset-2 hover:underline max-md:min-h-11"
          onClick={onOpen}
        >
          {name}
        </button>
        <p className="truncate text-soft">{owner?.email ?? words.noOwner}</p>
      </div>
      <p className="truncate max-md:order-last">{readPlan(plan)}</p>
      <p className="text-soft max-md:order-last max-md:col-span-2">
        {words.counts(members, links)}
        <br />
        {clicksThisMonth === null ? words.noClicks : words.clicks(clicksThisMonth)}
      </p>
      <WorkspaceState state={state} />
    </li>
  )
}
