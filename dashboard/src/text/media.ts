import type { messages } from './en/media.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/media.ts', { import: 'messages' }),
  shared,
)
