import type { ReactNode } from 'react'

/** Classes of the links in a row of pages that belong together; the present one has a yellow edge. */
export const SUB_LINK =
  'inline-flex min-h-9 max-md:min-h-11 items-center px-3 text-sm whitespace-nowrap text-soft no-underline hover:text-ink'
export const SUB_LINK_HERE = 'here bg-card font-semibold text-ink!'

export function SubNav({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav aria-label={label} className="mb-4 flex overflow-x-auto border-b border-line">
      {children}
    </nav>
  )
}
