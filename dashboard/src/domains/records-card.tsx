import type { ReactNode } from 'react'
import { CopyIcon } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icon.tsx'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/domains.ts'
import type { Domain, DomainRecord } from './queries.ts'

const COLUMNS = 'md:grid-cols-[minmax(0,9rem)_minmax(0,1fr)_minmax(0,1.3fr)_minmax(0,11rem)]'

/** The records to create, each part to copy, and what the last check found in their place. */
export function RecordsCard({ domain: { verification } }: { domain: Domain }) {
  const { records, routingNote } = verification
  return (
    <Card title={text.domains.records}>
      <p className="px-4 pb-2 text-sm text-soft">{text.domains.recordsExplain}</p>
      <div
        aria-hidden="true"
        className={`grid gap-x-4 border-t border-line px-4 py-2 text-xs text-soft max-md:hidden ${COLUMNS}`}
      >
        <span>{text.domains.type}</span>
        <span>{text.domains.name}</span>
        <span>{text.domains.value}</span>
        <span>{text.domains.state}</span>
      </div>
      <ul aria-label={text.domains.records}>
        {records.map((record) => (
          <RecordRow key={`${record.type} ${record.value}`} record={record} />
        ))}
      </ul>
      {routingNote !== null && (
        <p className="flex items-start gap-2 border-t border-line px-4 py-2 text-sm">
          <Icon name="triangle-alert" className="mt-0.5 text-warn" />
          <span>
            <b className="font-semibold">{text.domains.noRoute}</b> {text.domains.noRouteExplain}
          </span>
        </p>
      )}
      <HttpProof verification={verification} />
    </Card>
  )
}

function RecordRow({
  record: { type, name, value, purpose, found, ok },
}: {
  record: DomainRecord
}) {
  return (
    <li className={`grid items-start gap-x-4 border-t border-line px-4 py-2 text-sm ${COLUMNS}`}>
      <div className="py-2">
        <b className="font-mono font-semibold">{type}</b>
        <span className="block text-xs text-soft">{text.domains.purposes[purpose]}</span>
      </div>
      <Copied label={text.domains.name} value={name} action={text.domains.copyName(type)} />
      <Copied label={text.domains.value} value={value} action={text.domains.copyValue(type)} />
      <div className="min-w-0 py-2">
        <RecordState ok={ok} />
        {found.length > 0 && (ok === false || found.length > 1) && (
          <p className="text-xs text-soft">
            {ok ? text.domains.foundBeside : text.domains.foundInstead}
            {found.map((each) => (
              <code key={each} className="block font-mono break-all">
                {each}
              </code>
            ))}
          </p>
        )}
      </div>
    </li>
  )
}

function Copied({ label, value, action }: { label: string; value: string; action: string }) {
  return (
    <div className="flex min-w-0 items-start gap-1">
      <div className="min-w-0 py-2 max-md:flex-1">
        <span className="block text-xs text-soft md:sr-only">{label}</span>
        <code className="font-mono break-all">{value}</code>
      </div>
      <CopyIcon value={value} label={action} />
    </div>
  )
}

function RecordState({ ok }: Pick<DomainRecord, 'ok'>): ReactNode {
  if (ok === null)
    return (
      <span className="flex items-center gap-1 text-soft">
        <Icon name="clock" /> {text.domains.notChecked}
      </span>
    )
  return (
    <span className={`flex items-center gap-1 font-semibold ${ok ? 'text-ok' : 'text-stop'}`}>
      <Icon name={ok ? 'circle-check' : 'circle-x'} />
      {ok ? text.domains.found : text.domains.notFound}
    </span>
  )
}

/** The way without a TXT record. */
function HttpProof({ verification: { proofUrl, token } }: Pick<Domain, 'verification'>) {
  return (
    <details className="border-t border-line px-4 py-2 text-sm">
      <summary className="min-h-8 content-center max-md:min-h-11">{text.domains.proof}</summary>
      <p className="py-1 text-soft">{text.domains.proofExplain}</p>
      <Copied label={text.domains.name} value={proofUrl} action={text.domains.copyProofUrl} />
      <Copied label={text.domains.value} value={token} action={text.domains.copyToken} />
    </details>
  )
}
