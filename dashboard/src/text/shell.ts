import type { messages } from './en/shell.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/shell.ts', { import: 'messages' }),
  shared,
)
