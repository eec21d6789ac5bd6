import type { ReactNode } from 'react'
import { Logo } from '../kit/logo.tsx'
import { useTabTitle } from '../kit/tab-title.ts'

/** The frame of the pages without a session. */
export function Door({
  title,
  children,
  foot,
}: {
  title: string
  children: ReactNode
  foot?: ReactNode
}) {
  useTabTitle(title)
  return (
    <main className="mx-auto flex min-h-dvh max-w-sm flex-col justify-center gap-5 px-5 py-10">
      <div className="flex items-center gap-2 text-lg font-bold">
        <Logo size={28} /> Signpost
      </div>
      <h1 className="text-xl font-bold">{title}</h1>
      {children}
      {foot && <p className="text-sm text-soft max-md:leading-11">{foot}</p>}
    </main>
  )
}
