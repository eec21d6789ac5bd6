import { Icon } from '../kit/icon.tsx'
import { text } from '../text/server.ts'
import type { ServerWorkspace } from './queries.ts'

const LOOKS = {
  active: { icon: 'circle-check', className: 'text-ok' },
  suspended: { icon: 'pause', className: 'text-warn' },
  blocked: { icon: 'ban', className: 'text-stop' },
} as const

export function WorkspaceState({ state }: Pick<ServerWorkspace, 'state'>) {
  const { icon, className } = LOOKS[state]
  return (
    <p className={`inline-flex items-center gap-1 text-sm font-semibold ${className}`}>
      <Icon name={icon} /> {text.server.workspaces.states[state]}
    </p>
  )
}
