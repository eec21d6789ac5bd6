import { Link } from '@tanstack/react-router'
import { SUB_LINK, SUB_LINK_HERE, SubNav } from '../kit/sub-nav.tsx'
import { text } from '../text/bio-pages.ts'
import type { BioPage } from './queries.ts'

/** The content of a page and its figures are two pages of the dashboard. */
export function PageTabs({ page: { id, workspaceId } }: { page: BioPage }) {
  const shared = {
    params: { workspaceId, pageId: id },
    activeOptions: { exact: true, includeSearch: false },
    className: SUB_LINK,
    activeProps: { className: SUB_LINK_HERE },
  }
  return (
    <SubNav label={text.bioPages.tabs}>
      <Link to="/$workspaceId/bio-pages/$pageId" {...shared}>
        {text.bioPages.tabEdit}
      </Link>
      <Link to="/$workspaceId/bio-pages/$pageId/figures" {...shared}>
        {text.bioPages.tabFigures}
      </Link>
    </SubNav>
  )
}
