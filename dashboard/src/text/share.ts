import type { messages } from './en/share.ts'
import { load } from './load.ts'
import { text as figures } from './figures.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/share.ts', { import: 'messages' }),
  figures,
)
