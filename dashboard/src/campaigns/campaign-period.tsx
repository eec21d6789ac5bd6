import { formatDay } from '../kit/format.ts'
import { text } from '../text/campaigns.ts'
import type { Campaign } from './queries.ts'

/** "1 May 2026 – 31 May 2026", "from …", "until …"; nothing without either. */
export function CampaignPeriod({ startsAt, endsAt }: Pick<Campaign, 'startsAt' | 'endsAt'>) {
  if (startsAt && endsAt)
    return (
      <>
        {formatDay(startsAt)} – {formatDay(endsAt)}
      </>
    )
  if (startsAt) return <>{text.campaigns.from(formatDay(startsAt))}</>
  return endsAt ? <>{text.campaigns.until(formatDay(endsAt))}</> : null
}
