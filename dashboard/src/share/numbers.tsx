import { useEffect, useState } from 'react'
import type { SharedDashboard } from '../api/visit.ts'
import { BarRows } from '../figures/bar-rows.tsx'
import { Total, TotalsGrid } from '../figures/total.tsx'
import { formatClock, formatDay, formatMinorUnits, formatRelative } from '../kit/format.ts'
import { formatNumber } from '../kit/locale.ts'
import { Icon } from '../kit/icon.tsx'
import { Arm, Card } from '../kit/layout.tsx'
import { Logo } from '../kit/logo.tsx'
import { text } from '../text/share.ts'
import { BreakdownCards } from './breakdown.tsx'
import { Series } from './series.tsx'

/** A shared dashboard with its numbers. */
export function Numbers({ data, isAway }: { data: SharedDashboard; isAway: boolean }) {
  const { metrics, topLinks, scope } = data
  return (
    <main className="mx-auto flex max-w-6xl flex-col gap-4 px-5 py-6 max-md:px-3 md:py-8">
      <Head data={data} />
      {isAway && (
        <p role="status" className="flex items-start gap-2 text-sm text-warn">
          <Icon name="wifi-off" className="mt-0.5" />
          {text.share.away(formatClock(data.updatedAt))}
        </p>
      )}
      <Totals metrics={metrics} />
      {metrics.totalImportedClicks > 0 && (
        <p className="flex items-start gap-1 text-sm text-soft">
          <Icon name="info" className="mt-0.5" />
          {text.share.importedInAll(formatNumber(metrics.totalImportedClicks))}
        </p>
      )}
      {metrics.periodClicks === 0 && (
        <p className="text-base text-soft">{text.figures.noneInPeriod}</p>
      )}
      <Series data={data} />
      <div className="grid gap-4 md:grid-cols-2 lg:grid-cols-3">
        {scope.type !== 'link' && topLinks.length > 0 && (
          <Card title={text.share.topLinks} className="md:col-span-2 lg:row-span-1">
            <BarRows rows={topLinks.map((row) => toRow(row, metrics.periodClicks))} />
          </Card>
        )}
        <BreakdownCards breakdowns={data.breakdowns} />
      </div>
      <footer className="flex flex-wrap items-center gap-x-2 gap-y-1 py-4 text-sm text-soft">
        <Logo size={20} />
        <b className="font-semibold text-ink">{text.share.product}</b>
        <span>{text.share.foot(data.period.timezone)}</span>
      </footer>
    </main>
  )
}

/** The numbers of the period, with their change against as many days before. */
function Totals({ metrics }: { metrics: SharedDashboard['metrics'] }) {
  const { conversions, value, currency = '', approximate, hasEarlierPeriod: hasEarlier } = metrics
  return (
    <TotalsGrid>
      <Total
        isFirst
        label={text.figures.clicks}
        value={metrics.periodClicks}
        changePercent={metrics.periodChangePercent}
        hasEarlier={hasEarlier}
      />
      <Total
        label={approximate ? text.figures.visitorsAbout : text.figures.visitors}
        value={metrics.uniqueVisitors}
        changePercent={metrics.uniqueVisitorsChangePercent}
        hasEarlier={hasEarlier}
      />
      {conversions !== undefined && <Total label={text.figures.conversions} value={conversions} />}
      {value !== undefined && (
        <Total
          label={text.share.value}
          value={value}
          format={(amount) => formatMinorUnits(amount, currency)}
        />
      )}
      <Total label={text.share.allClicks} value={metrics.totalClicks} />
    </TotalsGrid>
  )
}

function Head({ data: { title, scope, period, updatedAt, topLinks } }: { data: SharedDashboard }) {
  const { start, end, timezone } = period
  const lastMs = Date.parse(end) - 1
  const [link] = topLinks
  return (
    <header className="flex flex-col gap-3">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <div className="min-w-0">
          <p className="text-sm text-soft">{text.share.scope[scope.type]}</p>
          <h1 className="text-2xl font-bold break-words">{title}</h1>
        </div>
        <Updated at={updatedAt} />
      </div>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Arm isHere>
          <Icon name="calendar" label={text.figures.period} />
          {text.share.days(
            formatDay(start, timezone),
            formatDay(new Date(lastMs).toISOString(), timezone),
          )}
        </Arm>
        {scope.type === 'link' && link && <ShortUrl url={link.shortUrl} />}
      </div>
    </header>
  )
}

const TICK_MS = 10_000

/** Age of the numbers, which grows between two refreshes. */
function Updated({ at }: { at: string }) {
  const [nowMs, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  return (
    <p className="text-sm text-soft" title={formatClock(at)}>
      {text.share.updated(formatRelative(at, Math.max(nowMs, Date.parse(at))))}
    </p>
  )
}

/** An address of a short link; the link gets no referrer, since the address of this page is a secret. */
function ShortUrl({ url }: { url: string }) {
  return (
    <a href={url} rel="noreferrer" className="font-mono text-sm break-all">
      {url.replace(/^https?:\/\//, '')}
    </a>
  )
}

function toRow({ name, shortUrl, clicks }: SharedDashboard['topLinks'][number], all: number) {
  return {
    key: shortUrl,
    name: (
      <span className="flex flex-wrap items-baseline gap-x-3">
        <b className="font-semibold break-words">{name}</b> <ShortUrl url={shortUrl} />
      </span>
    ),
    clicks,
    percent: all === 0 ? null : (100 * clicks) / all,
  }
}
