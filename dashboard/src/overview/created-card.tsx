import { Link as RouterLink } from '@tanstack/react-router'
import type { Schemas } from '../api/client.ts'
import { Button, buttonClass } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { QrCode } from '../kit/qr-code.tsx'
import { withoutScheme } from '../kit/url.ts'
import { text } from '../text/overview.ts'

/** A link that was made a moment ago, and what to do with it. */
export function CreatedCard({
  link: { id: linkId, workspaceId, shortUrl, destinationUrl },
  onDone,
}: {
  link: Schemas['Link']
  onDone: () => void
}) {
  const params = { workspaceId, linkId }
  return (
    <section
      aria-label={text.created.title}
      className="flex flex-col gap-4 rounded border border-line bg-card p-5"
    >
      <div className="flex flex-wrap-reverse items-center gap-5">
        <div className="flex min-w-0 flex-1 basis-52 flex-col gap-3">
          <p className="font-mono text-lg font-bold wrap-anywhere">{withoutScheme(shortUrl)}</p>
          <p className="flex min-w-0 items-center gap-1 text-sm text-soft">
            <Icon name="arrow-right" size={14} />
            <span className="truncate">{withoutScheme(destinationUrl)}</span>
          </p>
          <div>
            <CopyButton look="primary" value={shortUrl} />
          </div>
        </div>
        <div className="rounded border border-line bg-[#fff] p-1">
          <QrCode value={`${shortUrl}?qr=1`} size={128} />
        </div>
      </div>
      <div className="flex flex-wrap gap-2 border-t border-line pt-4">
        <a href={shortUrl} target="_blank" rel="noreferrer" className={buttonClass()}>
          <Icon name="external-link" /> {text.created.open}
        </a>
        <RouterLink
          to="/$workspaceId/links/$linkId"
          params={params}
          search={{ open: 'edit' }}
          className={buttonClass()}
        >
          <Icon name="pencil" /> {text.created.customize}
        </RouterLink>
        <RouterLink to="/$workspaceId/links/$linkId" params={params} className={buttonClass()}>
          <Icon name="chart-line" /> {text.created.statistics}
        </RouterLink>
        <Button look="quiet" onClick={onDone}>
          {text.actions.done}
        </Button>
      </div>
    </section>
  )
}
