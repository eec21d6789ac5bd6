import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { Schemas } from '../api/client.ts'
import { followLive } from '../api/live.ts'
import { useWorkspace } from '../api/workspace.ts'
import { formatClock, formatCountry } from '../kit/format.ts'
import { Card } from '../kit/layout.tsx'
import { text } from '../text/figures.ts'
import { nameOf } from './labels.ts'
import { recentClicksQuery } from './queries.ts'

type Click = Schemas['ClickReceivedEvent']['data']

/** The feed holds the latest clicks alone; the log of clicks has all of them. */
const KEPT = 50
/** As high as the chart beside them. */
const SHOWN = 6
/** Clicks renew the figures of the page, however many come at most this often. */
const REFRESH_MS = 1_500

/** The latest clicks, and more as they arrive. The feed waits while the pointer is over it, and ends in hidden tabs. */
export function LiveFeed({ linkId }: { linkId?: string }) {
  const [clicks, setClicks] = useState<readonly Click[]>([])
  const [isLive, setLive] = useState(false)
  const isHeld = useRef(false)
  const held = useRef<readonly Click[]>([])
  const refresh = useRef<ReturnType<typeof setTimeout> | null>(null)
  const { id: workspaceId } = useWorkspace()
  const queryClient = useQueryClient()
  const isVisible = usePageVisible()
  const recent = useQuery(recentClicksQuery(workspaceId, linkId, SHOWN))
  const arrived = new Set(clicks.map(({ clickId }) => clickId))
  const before = (recent.data ?? []).filter(({ clickId }) => !arrived.has(clickId))
  const shown: readonly Click[] = [...clicks, ...before].slice(0, SHOWN)
  useEffect(() => {
    if (!isVisible) return
    const controller = new AbortController()
    const show = (click: Click) => {
      held.current = [click, ...held.current].slice(0, KEPT)
      if (!isHeld.current) setClicks(held.current)
      refresh.current ??= setTimeout(() => {
        refresh.current = null
        void queryClient.invalidateQueries({ queryKey: [workspaceId, 'figures'] })
        void queryClient.invalidateQueries({ queryKey: [workspaceId, 'link'] })
      }, REFRESH_MS)
    }
    void followLive({
      path: `/analytics/live${linkId === undefined ? '' : `?linkId=${linkId}`}`,
      signal: controller.signal,
      onState: (state) => setLive(state === 'live'),
      onEvent: ({ event, data }) => {
        if (event === 'click') show(JSON.parse(data) as Click)
      },
    })
    return () => controller.abort()
  }, [isVisible, linkId, queryClient, workspaceId])
  const hold = (isOver: boolean) => {
    isHeld.current = isOver
    if (!isOver) setClicks(held.current)
  }
  return (
    <Card title={text.live.title} note={isLive ? text.live.connected : text.live.connecting}>
      <ul
        className="py-2"
        aria-label={text.live.title}
        onPointerEnter={() => hold(true)}
        onPointerLeave={() => hold(false)}
      >
        {shown.length === 0 && !recent.isPending && (
          <li className="px-4 py-3 text-sm text-soft">{text.live.empty}</li>
        )}
        {shown.map((click) => (
          <li
            key={click.clickId}
            className={`${arrived.has(click.clickId) ? 'animate-arrive' : ''} flex justify-between gap-3 border-t border-line px-4 py-1.5 text-sm first:border-t-0`}
          >
            <span className="min-w-0">
              <b className="block truncate font-semibold">{placeOf(click)}</b>
              <span title={clientOf(click)} className="block truncate text-xs text-soft">
                {clientOf(click)}
              </span>
            </span>
            <span className="max-w-1/2 shrink-0 text-end">
              {formatClock(click.timestamp)}
              {linkId === undefined && (
                <span
                  title={click.link.slug}
                  className="block truncate font-mono text-xs text-soft"
                >
                  {click.link.slug}
                </span>
              )}
            </span>
          </li>
        ))}
      </ul>
    </Card>
  )
}

function placeOf({ city, country }: Click): string {
  const names = [city, country === null ? null : formatCountry(country)].filter(Boolean)
  return names.length > 0 ? names.join(', ') : text.figures.unknownPlace
}

function clientOf({ device, browser, os, referrer }: Click): string {
  return [
    nameOf('device', device),
    nameOf('browser', browser),
    nameOf('os', os),
    ...(referrer === 'direct' ? [] : [nameOf('referrer', referrer)]),
  ].join(', ')
}

function usePageVisible(): boolean {
  const [isVisible, setVisible] = useState(document.visibilityState === 'visible')
  useEffect(() => {
    const change = () => setVisible(document.visibilityState === 'visible')
    document.addEventListener('visibilitychange', change)
    return () => document.removeEventListener('visibilitychange', change)
  }, [])
  return isVisible
}
