import type { messages } from './en/apps.ts'
import { text as apiKeys } from './api-keys.ts'
import { load } from './load.ts'

export const text = load(
  import.meta.glob<typeof messages>('./*/apps.ts', { import: 'messages' }),
  apiKeys,
)
