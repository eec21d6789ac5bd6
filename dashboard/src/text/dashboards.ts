import type { messages } from './en/dashboards.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/dashboards.ts', { import: 'messages' }),
  shared,
)
