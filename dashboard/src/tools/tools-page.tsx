import { Link, useParams } from '@tanstack/react-router'
import { useMay } from '../api/workspace.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { OnlyFor } from '../kit/only-for.tsx'
import { text } from '../text/tools.ts'
import { downloadShareX } from './sharex.ts'

/** Ways to shorten a page without opening the dashboard first. */
export function ToolsPage() {
  return (
    <OnlyFor role="member">
      <div className="flex max-w-3xl flex-col gap-4">
        <Bookmarklet />
        <ShareX />
        <Card title={text.tools.appTitle} className="pb-4">
          <p className="px-4 pt-3">{text.tools.appExplain}</p>
        </Card>
      </div>
    </OnlyFor>
  )
}

/** It has no key: the page that it opens asks for the session of the browser. */
function Bookmarklet() {
  const page = `${location.origin}/app/new-link?url=`
  const code = `javascript:void open(${JSON.stringify(page)}+encodeURIComponent(location.href),'_blank','noopener')`
  return (
    <Card title={text.tools.bookmarkletTitle} className="pb-4">
      <p className="px-4 pt-3">{text.tools.bookmarkletExplain}</p>
      <p className="px-4 pt-3">
        {/* eslint-disable-next-line jsx-a11y/anchor-is-valid -- `ref` gives it the address */}
        <a
          // React refuses to render such an address. It is to be dragged; the policy of the page stops a click.
          ref={(anchor) => anchor?.setAttribute('href', code)}
          draggable
          className={buttonClass('primary')}
        >
          <Icon name="link" /> {text.tools.bookmarklet}
        </a>
      </p>
    </Card>
  )
}

function ShareX() {
  const { workspaceId } = useParams({ from: '/signed-in/$workspaceId' })
  const maySeeKeys = useMay('admin')
  return (
    <Card title={text.tools.shareXTitle} className="pb-4">
      <p className="px-4 pt-3">{text.tools.shareXExplain(text.tools.keyPlace)}</p>
      <div className="flex flex-wrap gap-2 px-4 pt-3">
        <Button icon="download" onClick={() => downloadShareX(text.tools.keyPlace)}>
          {text.tools.shareXDownload}
        </Button>
        {maySeeKeys && (
          <Link
            to="/$workspaceId/settings/api-keys"
            params={{ workspaceId }}
            className={buttonClass('quiet')}
          >
            {text.tools.keys}
          </Link>
        )}
      </div>
    </Card>
  )
}
