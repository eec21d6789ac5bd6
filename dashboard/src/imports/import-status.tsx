import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/imports.ts'
import type { LinkImport } from './queries.ts'

const LOOKS: Record<LinkImport['status'], { icon: IconName; className: string }> = {
  pending: { icon: 'clock', className: 'text-soft' },
  processing: { icon: 'loader-circle', className: 'text-lake' },
  completed: { icon: 'circle-check', className: 'text-ok' },
  failed: { icon: 'circle-x', className: 'text-stop' },
  canceled: { icon: 'ban', className: 'text-warn' },
}

export function ImportStatus({ of: { status } }: { of: LinkImport }) {
  const { icon, className } = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1 text-sm font-semibold ${className}`}>
      <Icon name={icon} className={status === 'processing' ? 'animate-spin' : ''} />{' '}
      {text.imports.statuses[status]}
    </span>
  )
}
