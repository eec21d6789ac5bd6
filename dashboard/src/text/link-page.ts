import type { messages } from './en/link-page.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/link-page.ts', { import: 'messages' }),
  shared,
)
