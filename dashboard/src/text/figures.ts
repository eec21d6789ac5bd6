import type { messages } from './en/figures.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/figures.ts', { import: 'messages' }),
  shared,
)
