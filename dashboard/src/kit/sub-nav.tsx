import { useLocation } from '@tanstack/react-router'
import { useEffect, useRef, type ReactNode } from 'react'

/** Classes of the links in a row of pages that belong together; the present one has a yellow edge. */
export const SUB_LINK =
  'inline-flex min-h-9 max-md:min-h-11 items-center px-3 text-sm whitespace-nowrap text-soft no-underline hover:text-ink'
export const SUB_LINK_HERE = 'here bg-card font-semibold text-ink!'

/** Of a row that scrolls sideways: brings the link of the present page into view. */
export function useHereInView() {
  const row = useRef<HTMLElement>(null)
  const { pathname } = useLocation()
  useEffect(() => {
    const here = row.current?.querySelector('[aria-current=page]')
    here?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [pathname])
  return row
}

/** A row that scrolls sideways where it is too long; the present page is in view. */
export function SubNav({ label, children }: { label: string; children: ReactNode }) {
  const row = useHereInView()
  return (
    <nav ref={row} aria-label={label} className="mb-4 flex overflow-x-auto border-b border-line">
      {children}
    </nav>
  )
}
