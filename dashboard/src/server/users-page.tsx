import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { usePages } from '../api/pages.ts'
import { Drawer } from '../kit/drawer.tsx'
import { ErrorNote } from '../kit/error-note.tsx'
import { Fact } from '../kit/fact.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Icon, type IconName } from '../kit/icon.tsx'
import { Empty, PageHead, Skeleton } from '../kit/layout.tsx'
import { PagedList } from '../kit/paged-list.tsx'
import { SearchField } from '../kit/search-field.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/server.ts'
import { userQuery, usersQuery, type ServerUser } from './queries.ts'
import type { UsersSearch } from './search.ts'

/** Every account of the server, newest first. */
export function UsersPage() {
  const search = useSearch({ from: '/signed-in/server/users' })
  const navigate = useNavigate({ from: '/server/users' })
  const users = usePages(usersQuery(search))
  const change = (part: UsersSearch) => void navigate({ search: (now) => ({ ...now, ...part }) })
  const { total } = users
  return (
    <>
      <PageHead
        title={text.server.pages.users}
        note={total !== undefined && text.server.users.count(total)}
      />
      <SearchField
        label={text.server.users.search}
        value={search.q}
        onValue={(q) => change({ q })}
      />
      <PagedList
        label={text.server.pages.users}
        pages={users}
        waiting={{ rows: 8, height: 64 }}
        empty={
          <Empty icon="users" title={text.server.noneFound}>
            {text.server.noneFoundHint}
          </Empty>
        }
      >
        {(user) => <UserRow key={user.id} user={user} onOpen={() => change({ open: user.id })} />}
      </PagedList>
      {search.open && (
        <UserDrawer
          key={search.open}
          id={search.open}
          onClose={() => change({ open: undefined })}
        />
      )}
    </>
  )
}

function UserRow({ user, onOpen }: { user: ServerUser; onOpen: () => void }) {
  const { name, email, workspaces } = user
  return (
    <li className="grid grid-cols-1 items-center gap-x-4 gap-y-1 border-t border-line px-4 py-2 text-sm first:border-t-0 md:grid-cols-[minmax(0,1fr)_16rem_14rem]">
      <div className="min-w-0">
        <button
          type="button"
          className="max-w-full min-h-8 truncate text-start text-base font-semibold underline-offset-2 hover:underline max-md:min-h-11"
          onClick={onOpen}
        >
          {name}
        </button>
        <p className="truncate text-soft">{email}</p>
      </div>
      <Marks user={user} />
      <p className="text-soft">
        {text.server.users.workspaces(workspaces)}
        <br />
        <LastSignIn user={user} />
      </p>
    </li>
  )
}

function LastSignIn({ user: { lastSignInAt } }: { user: Pick<ServerUser, 'lastSignInAt'> }) {
  if (!lastSignInAt) return text.server.users.neverSignedIn
  return (
    <>
      {text.server.users.lastSignIn} <RelativeTime at={lastSignInAt} />
    </>
  )
}

type Marked = Pick<ServerUser, 'emailVerified' | 'twoFactorEnabled' | 'isOperator'>

function Marks({ user: { emailVerified, twoFactorEnabled, isOperator } }: { user: Marked }) {
  const words = text.server.users
  const mark = (icon: IconName, word: string, className = '') => (
    <span className={`inline-flex items-center gap-1 ${className}`}>
      <Icon name={icon} /> {word}
    </span>
  )
  return (
    <p className="flex flex-wrap gap-x-3 text-soft">
      {isOperator && mark('monitor-cog', words.operator, 'font-semibold text-ink')}
      {emailVerified
        ? mark('circle-check', words.verified)
        : mark('triangle-alert', words.unverified, 'text-warn')}
      {twoFactorEnabled && mark('shield-check', words.twoFactor, 'text-ok')}
    </p>
  )
}

function UserDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const { data: user, error, refetch } = useQuery(userQuery(id))
  const words = text.server.users
  return (
    <Drawer title={user?.name ?? words.one} note={user?.email} onClose={onClose}>
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!user && !error && <Skeleton rows={6} />}
      {user && (
        <div className="flex flex-col gap-5">
          <Marks user={user} />
          <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-sm">
            <Fact name={text.server.workspaces.id}>
              <span className="font-mono break-all">{user.id}</span>
            </Fact>
            <Fact name={words.lastSignInLabel}>
              {user.lastSignInAt ? formatDateTime(user.lastSignInAt) : words.neverSignedIn}
            </Fact>
            <Fact name={words.created}>{formatDateTime(user.createdAt)}</Fact>
          </dl>
          <section>
            <h3 className="pb-1 text-base font-semibold">{words.workspaces(user.workspaces)}</h3>
            <ul className="text-sm">
              {user.memberships.map(({ workspaceId, name, role }) => (
                <li key={workspaceId} className="flex items-center gap-3 border-t border-line">
                  <Link
                    to="/server"
                    search={(now) => ({ from: now.from, open: workspaceId })}
                    className="min-w-0 flex-1 truncate py-2 max-md:py-3"
                  >
                    {name}
                  </Link>
                  <span className="shrink-0">{text.names.roles[role]}</span>
                </li>
              ))}
            </ul>
          </section>
        </div>
      )}
    </Drawer>
  )
}
