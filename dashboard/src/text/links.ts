import type { messages } from './en/links.ts'
import { load } from './load.ts'
import { text as linkPage } from './link-page.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/links.ts', { import: 'messages' }),
  linkPage,
)
