import type { messages } from './en/shared.ts'
import { load } from './load.ts'

export const text = load(import.meta.glob<typeof messages>('./*/shared.ts', { import: 'messages' }))
