import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorNote } from '../kit/error-note.tsx'
import { Fact } from '../kit/fact.tsx'
import { formatDateTime } from '../kit/format.ts'
import { Icon } from '../kit/icon.tsx'
import { Card, PageHead, Skeleton } from '../kit/layout.tsx'
import { formatNumber, numberFormat } from '../kit/locale.ts'
import { Meter } from '../kit/meter.tsx'
import { RelativeTime } from '../kit/time.tsx'
import { text } from '../text/server.ts'
import { healthQuery, type ServerHealth } from './queries.ts'

/** What works, what waits and how much is stored; read again every ten seconds. */
export function HealthPage() {
  const { data: health, error, refetch } = useQuery(healthQuery)
  const words = text.server.health
  return (
    <>
      <PageHead
        title={text.server.pages.health}
        note={health && words.version(health.version, health.node)}
      />
      <ErrorNote error={error} onRetry={() => void refetch()} />
      {!health && !error && <Skeleton rows={10} height={56} />}
      {health && (
        <div className="grid gap-4 md:grid-cols-2">
          <Checks health={health} />
          <Mail health={health} />
          <Deliveries health={health} />
          <Storage health={health} />
          <Journals health={health} />
          <Sweeps health={health} />
        </div>
      )}
    </>
  )
}

type Props = { health: ServerHealth }

function Facts({ children }: { children: ReactNode }) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 px-4 py-3 text-sm">
      {children}
    </dl>
  )
}

function State({ isOk, children }: { isOk: boolean; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center gap-1 font-semibold ${isOk ? 'text-ok' : 'text-stop'}`}
    >
      <Icon name={isOk ? 'circle-check' : 'circle-x'} /> {children}
    </span>
  )
}

function Checks({ health: { checks, startedAt } }: Props) {
  const words = text.server.health
  return (
    <Card title={words.checks}>
      <Facts>
        {checks.map(({ name, isOk }) => (
          <Fact key={name} name={name}>
            <State isOk={isOk}>{isOk ? words.works : words.fails}</State>
          </Fact>
        ))}
        <Fact name={words.started}>
          <RelativeTime at={startedAt} />
        </Fact>
      </Facts>
    </Card>
  )
}

function Mail({ health: { mail } }: Props) {
  const words = text.server.health
  const { lastFailure } = mail
  return (
    <Card title={words.mail}>
      <Facts>
        <Fact name={words.transport}>{words.transports[mail.transport]}</Fact>
        <Fact name={words.waiting}>{formatNumber(mail.waiting)}</Fact>
        <Fact name={words.sent}>{formatNumber(mail.sent)}</Fact>
        <Fact name={words.failed}>
          <State isOk={mail.failed === 0}>{formatNumber(mail.failed)}</State>
        </Fact>
        {lastFailure && (
          <Fact name={words.lastFailure}>
            {lastFailure.reason}
            <span className="block text-soft">{formatDateTime(lastFailure.at)}</span>
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

function Deliveries({ health: { deliveries } }: Props) {
  const words = text.server.health
  return (
    <Card title={words.deliveries}>
      <Facts>
        <Fact name={words.queued}>{formatNumber(deliveries.queued)}</Fact>
        <Fact name={words.due}>{formatNumber(deliveries.due)}</Fact>
        {deliveries.oldestDueAt && (
          <Fact name={words.oldest}>
            <RelativeTime at={deliveries.oldestDueAt} />
          </Fact>
        )}
      </Facts>
    </Card>
  )
}

const TIGHT = 0.9

function Storage({ health: { storage } }: Props) {
  const words = text.server.health
  const { diskFreeBytes: free, diskTotalBytes: total } = storage
  return (
    <Card title={words.storage}>
      <Facts>
        {free !== null && total !== null && (
          <Fact name={words.disk}>
            {words.freeOf(formatBytes(free), formatBytes(total))}
            <Meter
              label={words.disk}
              value={total - free}
              max={total}
              isWarning={total - free > TIGHT * total}
            />
          </Fact>
        )}
        <Fact name="PostgreSQL">{formatBytes(storage.postgresBytes)}</Fact>
        <Fact name={words.images}>{formatBytes(storage.mediaBytes)}</Fact>
        <Fact name="ClickHouse">{formatBytes(storage.clickhouseBytes)}</Fact>
      </Facts>
    </Card>
  )
}

function Journals({ health: { journals } }: Props) {
  const words = text.server.health
  return (
    <Card title={words.journals} className="md:col-span-2">
      {journals.length === 0 ? (
        <p className="px-4 py-3 text-sm text-soft">{words.allStored}</p>
      ) : (
        <ul className="px-4 py-3 text-sm">
          {journals.map(({ id, shippedBefore, isSilent }) => (
            <li key={id} className="flex flex-wrap justify-between gap-x-4 py-1">
              <span className="font-mono break-all">{id}</span>
              <span className={isSilent ? 'font-semibold text-stop' : 'text-soft'}>
                {isSilent ? words.silent : words.storedUntil} <RelativeTime at={shippedBefore} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Sweeps({ health: { sweeps } }: Props) {
  const words = text.server.health
  return (
    <Card title={words.sweeps} note={words.sweepsNote} className="md:col-span-2">
      <ul className="grid gap-x-8 px-4 py-3 text-sm md:grid-cols-2">
        {sweeps.map(({ name, succeededAt, isRunning }) => (
          <li key={name} className="flex justify-between gap-4 py-1">
            <span className="min-w-0 font-mono break-all">{name}</span>
            <span className={`shrink-0 ${isRunning ? 'text-soft' : 'font-semibold text-stop'}`}>
              {!isRunning && `${words.stopped} `}
              {succeededAt ? <RelativeTime at={succeededAt} /> : words.notYet}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function formatBytes(bytes: number | null): string {
  if (bytes === null) return text.server.health.unknown
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), UNITS.length - 1)
  return numberFormat({
    ...{ style: 'unit', unit: UNITS[power]!, unitDisplay: 'short' },
    maximumSignificantDigits: 3,
  }).format(bytes / 1_000 ** power)
}
