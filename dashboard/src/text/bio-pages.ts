import type { messages } from './en/bio-pages.ts'
import { load } from './load.ts'
import { text as figures } from './figures.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/bio-pages.ts', { import: 'messages' }),
  figures,
)
