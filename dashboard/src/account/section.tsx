import type { ReactNode } from 'react'
import { Card } from '../kit/layout.tsx'

/** A part of the account with its own action. */
export function Section({
  title,
  note,
  children,
}: {
  title: string
  note?: ReactNode
  children: ReactNode
}) {
  return (
    <Card title={title}>
      <div className="flex flex-col gap-4 px-4 pt-1 pb-4">
        {note && <p className="text-sm text-soft">{note}</p>}
        {children}
      </div>
    </Card>
  )
}
