import { useLayoutEffect, useRef, useState } from 'react'

/** Narrower than any page, so that a chart that is not measured yet does not widen it. */
const MIN_WIDTH = 200

/** The width of the content of an element in pixels, known before its first paint. It follows the window. */
export function useWidth() {
  const ref = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(MIN_WIDTH)
  useLayoutEffect(() => {
    const element = ref.current
    if (!element) return
    const fit = (px: number) => setWidth(Math.max(MIN_WIDTH, Math.floor(px)))
    const { paddingLeft, paddingRight } = getComputedStyle(element)
    fit(element.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight))
    const observer = new ResizeObserver(([entry]) => {
      if (entry) fit(entry.contentRect.width)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { ref, width }
}
