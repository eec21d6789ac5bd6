import { useSuspenseQuery } from '@tanstack/react-query'
import { Link, Outlet, useSearch } from '@tanstack/react-router'
import { sessionQuery } from '../api/session.ts'
import { buttonClass } from '../kit/button.tsx'
import { addIcons, Icon } from '../kit/icon.tsx'
import { Logo } from '../kit/logo.tsx'
import { ACCOUNT_PAGES } from '../kit/navigation.ts'
import { useHereInView } from '../kit/sub-nav.tsx'
import { MORE_PATHS } from '../kit/more-icon-paths.ts'
import { text } from '../text/account.ts'
import { useTabTitle } from '../kit/tab-title.ts'

addIcons(MORE_PATHS)

/** The pages of the user, outside every workspace. */
export function AccountLayout() {
  const { from } = useSearch({ from: '/signed-in/account' })
  const { data: session } = useSuspenseQuery(sessionQuery)
  const row = useHereInView()
  useTabTitle(text.account.title)
  return (
    <div className="mx-auto max-w-3xl px-[26px] py-6 max-md:px-4">
      <header className="flex items-center gap-3 pb-4">
        <Logo size={28} />
        <div className="min-w-0 flex-1">
          <p className="text-lg font-bold">{text.account.title}</p>
          <p className="truncate text-sm text-soft">{session?.user.email}</p>
        </div>
        <Link
          {...(from
            ? { to: '/$workspaceId', params: { workspaceId: from } }
            : { to: '/', search: {} })}
          className={buttonClass('plain', 'shrink-0')}
        >
          <Icon name="arrow-left" /> <span className="max-md:sr-only">{text.account.back}</span>
        </Link>
      </header>
      <nav ref={row} aria-label={text.account.title} className="flex overflow-x-auto pb-5 md:gap-1">
        {ACCOUNT_PAGES.map(({ to, name }) => (
          <Link
            key={to}
            to={to}
            search={from ? { from } : {}}
            activeOptions={{ exact: true, includeSearch: false }}
            className="inline-flex min-h-9 items-center px-3 text-base whitespace-nowrap text-soft no-underline hover:text-ink max-md:min-h-11"
            activeProps={{ className: 'arm bg-way text-on-way! font-semibold' }}
          >
            {text.account[name]}
          </Link>
        ))}
      </nav>
      <main id="content" className="flex flex-col gap-4">
        <Outlet />
      </main>
    </div>
  )
}
