import { Link, useParams } from '@tanstack/react-router'
import { text } from '../text/campaigns.ts'
import { SUB_LINK, SUB_LINK_HERE, SubNav } from './sub-nav.tsx'

/** Campaigns and the templates for their parameters are two pages of one destination. */
export function CampaignTabs() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const shared = {
    params: { workspaceId },
    activeOptions: { includeSearch: false },
    className: SUB_LINK,
    activeProps: { className: SUB_LINK_HERE },
  }
  return (
    <SubNav label={text.campaigns.tabs}>
      <Link to="/$workspaceId/campaigns" {...shared}>
        {text.campaigns.title}
      </Link>
      <Link to="/$workspaceId/utm-templates" {...shared}>
        {text.templates.title}
      </Link>
    </SubNav>
  )
}
