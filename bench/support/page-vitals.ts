import type { Page } from 'playwright-core'
import { evaluateBeside, runBeside } from '../../test/support/beside.ts'

/** Observations of a browser on a page since the last reading; times in milliseconds. */
export type Vitals = {
  /** Of the document; 0 after the first input. */
  lcpMs: number
  /** The largest session window of layout shifts, as Web Vitals counts them. */
  cls: number
  /** The parts of the page that shifted, with the value of each shift. */
  shifted: string[]
  /** The longest event of each interaction; those that the browser leaves out as short have 0. */
  interactionsMs: number[]
  /** Descriptions of the interactions over 50 ms. */
  slow: string[]
  longTasksMs: number[]
  /** From the end of the answer with the figures to the frame that shows their chart; null without a chart. */
  chartMs: number | null
}

/** Observes from the first byte on. */
const OBSERVE = `(() => {
  if (globalThis.vitals) return
  const fresh = () => ({ cls: 0, shifted: [], interactions: {}, slow: [], longTasksMs: [] })
  const page = { lcpMs: 0, answeredAt: null, chartMs: null, interactionCount: 0, seen: fresh() }
  const observers = []
  const observe = (type, take, options = {}) => {
    const observer = new PerformanceObserver((list) => list.getEntries().forEach(take))
    observer.observe({ type, buffered: true, ...options })
    observers.push([observer, take])
  }
  const nameOf = (node) =>
    node?.nodeType === 1 ? node.tagName + '.' + String(node.getAttribute('class')).slice(0, 60) : String(node?.nodeName)
  observe('largest-contentful-paint', ({ startTime }) => { page.lcpMs = startTime })
  let shift = { sum: 0, first: -Infinity, last: -Infinity }
  observe('layout-shift', ({ hadRecentInput, value, startTime, sources }) => {
    if (hadRecentInput) return
    const isNew = startTime - shift.last > 1000 || startTime - shift.first > 5000
    shift = isNew
      ? { sum: value, first: startTime, last: startTime }
      : { ...shift, sum: shift.sum + value, last: startTime }
    page.seen.cls = Math.max(page.seen.cls, shift.sum)
    page.seen.shifted.push(value.toFixed(4) + ' ' + sources.map(({ node }) => nameOf(node)).join(', '))
  })
  observe('event', ({ name, interactionId, duration, startTime, processingStart, processingEnd, target }) => {
    if (!interactionId) return
    const { interactions, slow } = page.seen
    interactions[interactionId] = Math.max(interactions[interactionId] ?? 0, duration)
    const parts = [processingStart - startTime, processingEnd - processingStart].map(Math.round).join(' + ')
    if (duration > 50) slow.push(duration + ' ms (' + parts + '): ' + name + ' at ' + nameOf(target))
  }, { durationThreshold: 16 })
  observe('longtask', ({ duration }) => page.seen.longTasksMs.push(duration))
  observe('resource', ({ name, responseEnd }) => {
    if (name.includes('/v1/analytics/summary')) page.answeredAt ??= responseEnd
  })
  const look = new MutationObserver(() => {
    if (!document.querySelector('svg[role=slider] path')) return
    look.disconnect()
    // The frame of the callback shows the chart; the task comes after that frame.
    requestAnimationFrame(() => setTimeout(() => { page.chartedAt = performance.now() }))
  })
  look.observe(document, { childList: true, subtree: true })
  globalThis.vitals = () => {
    for (const [observer, take] of observers) observer.takeRecords().forEach(take)
    const { interactions, ...seen } = page.seen
    const known = Object.values(interactions)
    const count = performance.interactionCount ?? 0
    const short = Math.max(0, count - page.interactionCount - known.length)
    page.interactionCount = count
    page.seen = fresh()
    shift = { sum: 0, first: -Infinity, last: -Infinity }
    return {
      ...seen,
      lcpMs: page.lcpMs,
      interactionsMs: [...known, ...Array(short).fill(0)],
      chartMs: page.chartedAt && page.answeredAt !== null ? page.chartedAt - page.answeredAt : null,
    }
  }
})()`

/** Observes each document that the page opens from now on, in a world beside its scripts. */
export async function observeVitals(page: Page): Promise<void> {
  await runBeside(page, OBSERVE)
}

/** Observations since the document was opened, or since the last reading. */
export async function readVitals(page: Page): Promise<Vitals> {
  return evaluateBeside<Vitals>(page, 'vitals()')
}
