import type { PageContent } from './bio-page.ts'

/** An element of a bio page. Its writer escapes texts and values of attributes. */
export type PageElement = {
  tag: string
  /** In the order in which they are written. */
  attributes: Readonly<Record<string, string>>
  children: readonly PageNode[]
}
/** An element, or a text. */
export type PageNode = PageElement | string

/** Content and addresses from which a page is drawn. */
export type PageView = {
  content: PageContent
  /** Short URLs of the links of blocks by their ids, relative on the host of the page; those that were deleted, or do not redirect, are missing. */
  links: ReadonlyMap<string, string>
  /** The ids of the images that are there. */
  images: ReadonlySet<string>
  /** The origin of the shared host, which has the images. */
  sharedOrigin: string
  /** The page is on the shared host. */
  isShared: boolean
  nowMs: number
}

/** A page as it is drawn inside of another document: below a shadow root, by a style sheet of its own. */
export type PagePreview = { style: string; root: PageElement }
