import type { messages } from './en/sign-in.ts'
import { load } from './load.ts'
import { text as shared } from './shared.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/sign-in.ts', { import: 'messages' }),
  shared,
)
