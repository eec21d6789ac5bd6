import { text } from '../text/shell.ts'

/** The keys that open the palette, as they are printed on this keyboard. */
export function getPaletteKeys(): string {
  return /^(?:Mac|iP)/.test(navigator.platform) ? '⌘ K' : text.keys.palette
}
