import { once } from 'node:events'

/** A4 in points. */
export const PAGE = { width: 595, height: 842 } as const
export const MARGIN = 48
/** The colors of the dashboard on paper. */
export const COLORS = {
  text: '#1b2321',
  muted: '#545c59',
  line: '#dad6cb',
  bar: '#0b5e82',
} as const

const CELL_SIZE = 8
const ELLIPSIS = '…'

type TextStyle = { size: number; isBold?: boolean; color?: string; height?: number }
type CellStyle = { x: number; width: number; isBold: boolean; isRight: boolean; color: string }

export type Page = Awaited<ReturnType<typeof openPage>>

/**
 * One page of a document, drawn from its top to its bottom. The library is loaded by the first page, since it has
 * tables of all characters.
 * @param title of the document; its properties take any alphabet
 */
export async function openPage(title: string) {
  const { default: PDFDocument } = await import('pdfkit')
  const document = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    info: { Title: title.toWellFormed(), Creator: 'Signpost' },
  })
  const chunks: Buffer[] = []
  document.on('data', (chunk: Buffer) => chunks.push(chunk))

  const setFont = (size: number, isBold: boolean, color: string) =>
    document
      .font(isBold ? 'Helvetica-Bold' : 'Helvetica')
      .fontSize(size)
      .fillColor(color)

  /** The beginning of a text that fits into a width, in the font that is set. */
  function cut(text: string, width: number): string {
    const whole = toWinAnsi(text)
    if (document.widthOfString(whole) <= width) return whole
    let chars = whole.slice(0, Math.ceil(width))
    while (chars !== '' && document.widthOfString(chars + ELLIPSIS) > width)
      chars = chars.slice(0, -1)
    return chars + ELLIPSIS
  }

  return {
    /** The top of what is drawn next. */
    y: MARGIN,

    /** Width of a text in a cell, or of as much of it as is wider than the page. */
    widthOf(text: string, isBold: boolean): number {
      setFont(CELL_SIZE, isBold, COLORS.text)
      return document.widthOfString(toWinAnsi(text.slice(0, PAGE.width)))
    },

    text(text: string, { size, isBold = false, color = COLORS.text, height = size }: TextStyle) {
      setFont(size, isBold, color)
      const line = cut(text, PAGE.width - 2 * MARGIN)
      document.text(line, MARGIN, this.y, { lineBreak: false })
      this.y += height
    },

    cell(text: string, { x, width, isBold, isRight, color }: CellStyle, size = CELL_SIZE) {
      setFont(size, isBold, color)
      const line = cut(text, width)
      const left = isRight ? x + width - document.widthOfString(line) : x
      document.text(line, left, this.y, { lineBreak: false })
    },

    line(y: number) {
      document.moveTo(MARGIN, y).lineTo(PAGE.width - MARGIN, y)
      document.lineWidth(0.5).strokeColor(COLORS.line).stroke()
    },

    bar(x: number, y: number, width: number, height: number) {
      document.rect(x, y, width, height).fill(COLORS.bar)
    },

    async end(): Promise<Buffer> {
      const ended = once(document, 'end')
      document.end()
      await ended
      return Buffer.concat(chunks)
    },
  }
}

/** Characters of Windows-1252 outside of Latin-1. */
const EXTRA = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ'
const REPLACEMENT = '?'

/**
 * A text in the characters of the standard fonts of PDF: others become their base letter (`ř` is `r`) or, without
 * one, `?`. Control characters are spaces.
 */
function toWinAnsi(text: string): string {
  let written = ''
  for (const char of text.toWellFormed().replace(/\p{Cc}+/gu, ' ')) {
    const base = isKnown(char) ? char : char.normalize('NFKD').replace(/\p{M}+/gu, '')
    written += base !== '' && Array.from(base).every(isKnown) ? base : REPLACEMENT
  }
  return written
}

function isKnown(char: string): boolean {
  const code = char.codePointAt(0)!
  return (code >= 0x20 && code <= 0x7e) || (code >= 0xa0 && code <= 0xff) || EXTRA.includes(char)
}
