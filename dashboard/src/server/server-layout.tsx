import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { buttonClass } from '../kit/button.tsx'
import { addIcons, Icon } from '../kit/icon.tsx'
import { Empty, PageHead } from '../kit/layout.tsx'
import { Logo } from '../kit/logo.tsx'
import { MORE_PATHS } from '../kit/more-icon-paths.ts'
import { useHereInView } from '../kit/sub-nav.tsx'
import { text } from '../text/server.ts'

addIcons(MORE_PATHS)

const PAGES = [
  { to: '/server', name: 'workspaces' },
  { to: '/server/users', name: 'users' },
  { to: '/server/reports', name: 'reports' },
  { to: '/server/blocks', name: 'blocks' },
  { to: '/server/health', name: 'health' },
] as const

/** The pages of operators, outside every workspace. */
export function ServerLayout() {
  const { from } = useSearch({ from: '/signed-in/server' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const row = useHereInView()
  return (
    <div className="mx-auto max-w-5xl px-[26px] py-6 max-md:px-4">
      <header className="flex items-center gap-3 pb-4">
        <Logo size={28} />
        <div className="min-w-0 flex-1">
          <p className="text-lg font-bold">{text.server.title}</p>
          <p className="truncate text-sm text-soft">{window.location.host}</p>
        </div>
        <Link
          {...(from
            ? { to: '/$workspaceId', params: { workspaceId: from } }
            : { to: '/', search: {} })}
          className={buttonClass('plain', 'shrink-0')}
        >
          <Icon name="arrow-left" /> <span className="max-md:sr-only">{text.server.back}</span>
        </Link>
      </header>
      {session?.isOperator ? (
        <>
          <nav
            ref={row}
            aria-label={text.server.title}
            className="flex overflow-x-auto pb-5 md:gap-1"
          >
            {PAGES.map(({ to, name }) => (
              <Link
                key={to}
                to={to}
                search={from ? { from } : {}}
                activeOptions={{ exact: true, includeSearch: false }}
                className="inline-flex min-h-9 items-center px-3 text-base whitespace-nowrap text-soft no-underline hover:text-ink max-md:min-h-11"
                activeProps={{ className: 'arm bg-way text-on-way! font-semibold' }}
              >
                {text.server.pages[name]}
              </Link>
            ))}
          </nav>
          <main id="content">
            <Outlet />
          </main>
        </>
      ) : (
        <main id="content">
          <PageHead title={text.server.title} />
          <Empty icon="lock" title={text.server.onlyOperators}>
            {text.server.onlyOperatorsExplain}
          </Empty>
        </main>
      )}
    </div>
  )
}
