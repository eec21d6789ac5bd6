import type { messages } from './en/reports.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/reports.ts', { import: 'messages' }),
  shared,
)
