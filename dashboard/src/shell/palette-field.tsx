import { text } from '../text/shell.ts'

export const PALETTE_BACKDROP = 'fixed inset-0 bg-shade'
export const PALETTE_PANEL =
  'fixed top-[12vh] left-1/2 z-20 w-[calc(100%-32px)] max-w-lg -translate-x-1/2 rounded bg-card shadow-popup max-md:top-4'
export const PALETTE_INPUT =
  'min-h-12 w-full border-b border-line bg-transparent px-4 text-base outline-none'

/** The field of the palette until the rest of it is loaded, which goes on with what was typed. */
export function PaletteField({
  typed,
  onTyped,
  onClose,
}: {
  typed: string
  onTyped: (typed: string) => void
  onClose: () => void
}) {
  return (
    <>
      <div className={PALETTE_BACKDROP} />
      <div role="dialog" aria-label={text.nav.find} className={PALETTE_PANEL}>
        <input
          autoFocus
          placeholder={text.palette.placeholder}
          aria-label={text.palette.placeholder}
          className={PALETTE_INPUT}
          value={typed}
          onChange={(event) => onTyped(event.target.value)}
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        />
      </div>
    </>
  )
}
