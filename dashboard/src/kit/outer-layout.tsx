import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { buttonClass } from './button.tsx'
import { addIcons, Icon } from './icon.tsx'
import { Logo } from './logo.tsx'
import { MORE_PATHS } from './more-icon-paths.ts'
import { useHereInView } from './sub-nav.tsx'

addIcons(MORE_PATHS)

type Page = {
  to:
    | `/${'account' | 'server'}`
    | `/account/${'security' | 'sessions' | 'data'}`
    | `/server/${'users' | 'reports' | 'blocks' | 'health'}`
  label: string
}

/** The frame of pages outside every workspace. */
export function OuterLayout({
  title,
  note,
  back,
  from,
  pages,
  className,
  children,
}: {
  title: string
  note: ReactNode
  back: string
  /** The workspace that the user came from. */
  from: string | undefined
  pages: readonly Page[]
  /** How wide it is. */
  className: string
  children: ReactNode
}) {
  const row = useHereInView()
  return (
    <div className={`mx-auto px-[26px] py-6 max-md:px-4 ${className}`}>
      <header className="flex items-center gap-3 pb-4">
        <Logo size={28} />
        <div className="min-w-0 flex-1">
          <p className="text-lg font-bold">{title}</p>
          <p className="truncate text-sm text-soft">{note}</p>
        </div>
        <Link
          {...(from
            ? { to: '/$workspaceId', params: { workspaceId: from } }
            : { to: '/', search: {} })}
          className={buttonClass('plain', 'shrink-0')}
        >
          <Icon name="arrow-left" /> <span className="max-md:sr-only">{back}</span>
        </Link>
      </header>
      {pages.length > 0 && (
        <nav ref={row} aria-label={title} className="flex overflow-x-auto pb-5 md:gap-1">
          {pages.map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              search={from ? { from } : {}}
              activeOptions={{ exact: true, includeSearch: false }}
              className="inline-flex min-h-9 items-center px-3 text-base whitespace-nowrap text-soft no-underline hover:text-ink max-md:min-h-11"
              activeProps={{ className: 'arm bg-way text-on-way! font-semibold' }}
            >
              {label}
            </Link>
          ))}
        </nav>
      )}
      <main id="content">{children}</main>
    </div>
  )
}
