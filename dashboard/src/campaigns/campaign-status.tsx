import { Icon, type IconName } from '../kit/icon.tsx'
import { text } from '../text/campaigns.ts'
import type { Campaign } from './queries.ts'

const LOOKS: Record<Campaign['status'], readonly [IconName, string]> = {
  draft: ['pencil', 'text-soft'],
  active: ['play', 'text-ok'],
  paused: ['pause', 'text-warn'],
  completed: ['circle-check', 'text-lake'],
  archived: ['archive', 'text-soft'],
}

export function CampaignStatus({ status }: Pick<Campaign, 'status'>) {
  const [icon, color] = LOOKS[status]
  return (
    <span className={`inline-flex items-center gap-1 font-sans text-sm font-semibold ${color}`}>
      <Icon name={icon} /> {text.campaigns.statuses[status]}
    </span>
  )
}
