import type { Page } from 'playwright-core'

/** What a browser observed on one page, since it was opened; times in milliseconds. */
export type Vitals = {
  lcpMs: number
  /** The largest session window of layout shifts, as Web Vitals counts them. */
  cls: number
  /** The longest event of each interaction; those that the browser leaves out as short have 0. */
  interactionsMs: number[]
  longTasksMs: number[]
  /** From the end of the answer with the figures to the frame that shows their chart; null without a chart. */
  chartMs: number | null
}

/** Observes from the first byte on. The chart is looked for before each frame. */
const OBSERVE = `(() => {
  const seen = { lcpMs: 0, cls: 0, interactions: {}, longTasksMs: [], answeredAt: null, chartMs: null }
  globalThis.benchVitals = seen
  const observe = (type, take, options = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true, ...options })
  observe('largest-contentful-paint', ({ startTime }) => { seen.lcpMs = startTime })
  let shift = { sum: 0, first: -Infinity, last: -Infinity }
  observe('layout-shift', ({ hadRecentInput, value, startTime }) => {
    if (hadRecentInput) return
    const isNew = startTime - shift.last > 1000 || startTime - shift.first > 5000
    shift = isNew
      ? { sum: value, first: startTime, last: startTime }
      : { ...shift, sum: shift.sum + value, last: startTime }
    seen.cls = Math.max(seen.cls, shift.sum)
  })
  observe('event', ({ interactionId, duration }) => {
    if (interactionId) seen.interactions[interactionId] = Math.max(seen.interactions[interactionId] ?? 0, duration)
  }, { durationThreshold: 16 })
  observe('longtask', ({ duration }) => seen.longTasksMs.push(duration))
  observe('resource', ({ name, responseEnd }) => {
    if (name.includes('/v1/analytics/summary')) seen.answeredAt ??= responseEnd
  })
  const look = () => {
    if (seen.answeredAt !== null && document.querySelector('svg[role=slider] path')) {
      // The frame of this callback shows the chart; the next one begins after it was painted.
      requestAnimationFrame(() => { seen.chartMs = performance.now() - seen.answeredAt })
      return
    }
    requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
})()`

const READ = `(() => {
  const { interactions, answeredAt, ...seen } = globalThis.benchVitals
  const known = Object.values(interactions)
  const left = Math.max(0, (performance.interactionCount ?? known.length) - known.length)
  return { ...seen, interactionsMs: [...known, ...Array(left).fill(0)] }
})()`

export async function observeVitals(page: Page): Promise<void> {
  await page.addInitScript(OBSERVE)
}

export async function readVitals(page: Page): Promise<Vitals> {
  return page.evaluate<Vitals>(READ)
}
