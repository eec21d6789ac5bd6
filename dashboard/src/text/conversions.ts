import type { messages } from './en/conversions.ts'
import { load } from './load.ts'
import { text as figures } from './figures.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/conversions.ts', { import: 'messages' }),
  figures,
)
