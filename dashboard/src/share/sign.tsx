import type { ReactNode } from 'react'
import { Logo } from '../kit/logo.tsx'
import { text } from '../text/share.ts'

/** A page with one message, under the signpost. */
export function Sign({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className="mx-auto flex min-h-dvh max-w-md flex-col justify-center px-5 py-10">
      <div className="flex items-center gap-2 text-lg font-bold">
        <Logo size={28} /> {text.share.product}
      </div>
      <h1 className="mt-6 text-xl font-bold">{title}</h1>
      <div className="mt-2 text-base">{children}</div>
    </main>
  )
}
