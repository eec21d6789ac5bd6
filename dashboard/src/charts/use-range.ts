import { useState, type KeyboardEvent, type PointerEvent } from 'react'

export type Range = readonly [first: number, last: number]
type ShowRange = (first: number, last: number) => void

/**
 * The bucket of a chart that pointer, thumb or arrow keys choose, and the buckets that they draw over. A mouse shows
 * these when it is released. After a thumb, which reads the values on its way, and after Shift with the arrow keys
 * they are offered first; Enter takes the offer, Escape drops it.
 * @param first name of the first bucket: another period has other buckets
 * @param last index of the last bucket
 */
export function useRange(first: string, last: number, onRange: ShowRange | undefined) {
  const [chosen, setChosen] = useState<number | null>(null)
  const [drawn, setDrawn] = useState<{ of: string; from: number; to: number } | null>(null)
  const [isDrawing, setDrawing] = useState(false)
  const range: Range | null =
    drawn && drawn.of === first && drawn.from !== drawn.to
      ? [Math.min(drawn.from, drawn.to), Math.min(last, Math.max(drawn.from, drawn.to))]
      : null
  const draw = (from: number, to: number) => {
    if (onRange) setDrawn({ of: first, from, to })
  }
  const drop = () => {
    setDrawing(false)
    setDrawn(null)
  }
  const show = () => {
    if (range) onRange?.(...range)
    drop()
  }
  const step = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -last, End: last }[event.key]
    if (by !== undefined) {
      const from = chosen ?? last
      const to = Math.max(0, Math.min(last, from + by))
      setChosen(to)
      if (event.shiftKey) draw(range && drawn ? drawn.from : from, to)
      else setDrawn(null)
    } else if (range && event.key === 'Enter') show()
    else if (range && event.key === 'Escape') drop()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return {
    chosen: chosen === null ? null : Math.min(chosen, last),
    range,
    isOffered: range !== null && !isDrawing,
    show,
    step,
    leave: () => setChosen(null),
    press: (at: number, event: PointerEvent) => {
      setChosen(at)
      if (event.button !== 0) return
      event.currentTarget.setPointerCapture(event.pointerId)
      setDrawing(true)
      draw(at, at)
    },
    move: (at: number) => {
      setChosen(at)
      if (isDrawing && drawn) draw(drawn.from, at)
    },
    release: ({ pointerType }: PointerEvent) => {
      setDrawing(false)
      if (pointerType === 'mouse') show()
    },
    drop,
  }
}
