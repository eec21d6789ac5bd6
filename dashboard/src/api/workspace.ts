import { createContext, useContext } from 'react'
import type { Schemas } from './client.ts'
import { hasRole, type Role } from './session.ts'

/** The workspace of the address, and the user's role in it. */
export const WorkspaceContext = createContext<Schemas['Workspace'] | null>(null)

/** @throws Error outside a page of a workspace */
export function useWorkspace(): Schemas['Workspace'] {
  const workspace = useContext(WorkspaceContext)
  if (!workspace) throw new Error('This component is outside a workspace.')
  return workspace
}

/** Whether the user may do what `needed` may; what they may not is not shown. */
export function useMay(needed: Role): boolean {
  return hasRole(useWorkspace().role, needed)
}
