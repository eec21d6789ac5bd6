import type { ReactNode } from 'react'
import type { Role } from '../api/session.ts'
import { useMay, useWorkspace } from '../api/workspace.ts'
import { text } from '../text/shared.ts'
import { Empty } from './layout.tsx'

/** A page for a role and those above it. Others, who came by a link, read whose it is. */
export function OnlyFor({ role, children }: { role: Role; children: ReactNode }) {
  const may = useMay(role)
  const workspace = useWorkspace()
  if (may) return children
  return (
    <Empty icon="lock" title={text.objects.onlyFor[role]}>
      {text.objects.onlyForExplain(text.names.roles[workspace.role])}
    </Empty>
  )
}
