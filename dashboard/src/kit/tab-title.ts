import { useEffect } from 'react'

const PRODUCT = 'Signpost'

/** Names the page in the tab of the browser and in its history; undefined: the name is not known yet. */
export function useTabTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title ? `${title} · ${PRODUCT}` : PRODUCT
  }, [title])
}
