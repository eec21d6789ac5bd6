import { useMay } from '../api/workspace.ts'
import { Button } from '../kit/button.tsx'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Card } from '../kit/layout.tsx'
import { ExactTime } from '../kit/time.tsx'
import { text } from '../text/webhooks.ts'
import { Fact } from '../kit/fact.tsx'
import type { Endpoint } from './queries.ts'
import type { EndpointPopup } from './search.ts'

/** Everything that is set for an endpoint. */
export function EndpointFacts({
  endpoint,
  onOpen,
}: {
  endpoint: Endpoint
  onOpen: (popup: EndpointPopup) => void
}) {
  const mayManage = useMay('admin')
  return (
    <Card
      title={text.webhooks.settings}
      action={
        mayManage && (
          <span className="flex flex-wrap">
            <Button look="quiet" icon="key-round" onClick={() => onOpen('secret')}>
              {text.webhooks.secret}
            </Button>
            <Button look="quiet" icon="pencil" onClick={() => onOpen('edit')}>
              {text.actions.edit}
            </Button>
          </span>
        )
      }
    >
      <dl className="grid grid-cols-[minmax(0,auto)_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 px-4 pt-2 pb-4 text-sm">
        <Facts endpoint={endpoint} />
      </dl>
    </Card>
  )
}

function Facts({ endpoint }: { endpoint: Endpoint }) {
  const texts = text.webhooks
  const { id, url, description, events, failureEmail, disableAfterHours } = endpoint
  const { standardHeaders, headers, createdAt } = endpoint
  return (
    <>
      <Fact name={texts.url}>
        <span className="font-mono break-all">{url}</span>
      </Fact>
      <Fact name={texts.description}>{description ?? texts.noValue}</Fact>
      <Fact name={texts.events}>
        {events.includes('*') ? (
          texts.everyEvent
        ) : (
          <span className="font-mono">{events.join(', ')}</span>
        )}
      </Fact>
      <Fact name={texts.headers}>
        <Headers headers={headers} />
      </Fact>
      <Fact name={texts.failureEmail}>{failureEmail ?? texts.noValue}</Fact>
      <Fact name={texts.disableAfter}>
        {disableAfterHours === null ? texts.never : texts.hours(disableAfterHours)}
      </Fact>
      <Fact name={texts.standardHeaders}>{standardHeaders ? texts.on : texts.off}</Fact>
      <Fact name={texts.createdAt}>
        <ExactTime at={createdAt} />
      </Fact>
      <Fact name={texts.id}>
        <span className="flex items-center gap-1">
          <span className="font-mono break-all">{id}</span>
          <CopyIcon value={id} label={text.actions.copy} />
        </span>
      </Fact>
    </>
  )
}

function Headers({ headers }: Pick<Endpoint, 'headers'>) {
  const entries = Object.entries(headers)
  if (entries.length === 0) return text.webhooks.noValue
  return (
    <ul className="font-mono">
      {entries.map(([name, value]) => (
        <li key={name} className="break-all">
          {name}: <span className="text-soft">{value}</span>
        </li>
      ))}
    </ul>
  )
}
