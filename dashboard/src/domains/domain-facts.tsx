import type { ReactNode } from 'react'
import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Fact } from '../kit/fact.tsx'
import { Card } from '../kit/layout.tsx'
import { ExactTime } from '../kit/time.tsx'
import { text } from '../text/domains.ts'
import type { Domain } from './queries.ts'

const URLS = ['rootRedirectUrl', 'notFoundUrl', 'expiredUrl'] as const
const FILES = ['appleAppSiteAssociation', 'assetLinks'] as const
const FLAGS = ['isDefault', 'caseSensitive'] as const

/** Settings of a domain, read-only. */
export function DomainFacts({ domain, onEdit }: { domain: Domain; onEdit: () => void }) {
  const mayManage = useMay('admin')
  const texts = text.domains
  const row = (name: string, value: ReactNode) => (
    <Fact key={name} name={name}>
      {value}
    </Fact>
  )
  return (
    <Card
      title={texts.settings}
      action={
        mayManage && (
          <Button look="quiet" icon="pencil" onClick={onEdit}>
            {text.actions.edit}
          </Button>
        )
      }
    >
      <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 px-4 pt-2 pb-4 text-sm">
        {FLAGS.map((field) => row(texts[field], domain[field] ? texts.yes : texts.no))}
        {URLS.map((field) =>
          row(
            texts[field],
            <span className="break-all">
              {domain[field] ?? texts.ownPage}
              {domain.blockedUrls.includes(field) && (
                <span className="text-stop"> {texts.isBlocked}</span>
              )}
            </span>,
          ),
        )}
        {FILES.map((field) => row(texts[field], domain[field] ? texts.aFile : texts.noFile))}
        {row(texts.createdAt, <ExactTime at={domain.createdAt} />)}
        {row(
          texts.id,
          <span className="flex items-center gap-1">
            <span className="font-mono break-all">{domain.id}</span>
            <CopyIcon value={domain.id} label={text.actions.copy} />
          </span>,
        )}
      </dl>
    </Card>
  )
}
