import { useState } from 'react'
import type { Link } from './queries.ts'

/** The links that the next action is about: some, or all that the filter matches. */
export function useSelection() {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Link>>(new Map())
  const [isAll, setAll] = useState(false)
  const [anchor, setAnchor] = useState<number | null>(null)
  return {
    chosen,
    isAll,
    has: (id: string) => isAll || chosen.has(id),
    isEmpty: !isAll && chosen.size === 0,
    clear: () => {
      setChosen(new Map())
      setAll(false)
      setAnchor(null)
    },
    selectAll: () => setAll(true),
    toggle: (link: Link, index: number) => {
      const next = new Map(isAll ? [] : chosen)
      if (!next.delete(link.id)) next.set(link.id, link)
      setChosen(next)
      setAll(false)
      setAnchor(index)
    },
    /** From the link that was chosen before to this one. */
    extendTo: (index: number, rowAt: (index: number) => Link | undefined) => {
      const next = new Map(chosen)
      const start = anchor ?? index
      for (let at = Math.min(start, index); at <= Math.max(start, index); at++) {
        const link = rowAt(at)
        if (link) next.set(link.id, link)
      }
      setChosen(next)
      setAll(false)
    },
  }
}
export type Selection = ReturnType<typeof useSelection>
