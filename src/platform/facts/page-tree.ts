import type { PageContent } from './bio-page.ts'

/** The writer escapes texts and attribute values. */
export type PageElement = {
  tag: string
  attributes: Readonly<Record<string, string>>
  children: readonly PageNode[]
}
export type PageNode = PageElement | string

export type PageView = {
  content: PageContent
  /** Short URLs by link id, relative on the page's host; deleted and blocked links are missing. */
  links: ReadonlyMap<string, string>
  images: ReadonlySet<string>
  /** The shared host, which serves the images. */
  sharedOrigin: string
  isShared: boolean
  nowMs: number
}

/** A page drawn inside another document, in a shadow root with its own style sheet. */
export type PagePreview = { style: string; root: PageElement }
