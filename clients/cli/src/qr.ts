/** Rows of the drawing in pairs, since a character of a terminal is twice as high as wide. */
const HALVES = [' ', '▄', '▀', '█']

/**
 * Draws a QR code of the server, whose SVG is a path of runs of dark modules, for a terminal. Light modules are drawn
 * and dark ones left out, as on a dark terminal; readers accept the other way round too.
 */
export function drawQrCode(svg: string): string {
  const side = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1] ?? 0)
  const dark = Array.from({ length: side + 1 }, () => new Uint8Array(side))
  for (const [, x, y, width] of svg.matchAll(/M(\d+) (\d+)h(\d+)v1h-/g))
    dark[Number(y)]!.fill(1, Number(x), Number(x) + Number(width))
  const rows: string[] = []
  for (let y = 0; y < side; y += 2) {
    const [top, bottom] = [dark[y]!, dark[y + 1]!]
    rows.push(Array.from(top, (upper, x) => HALVES[(upper ? 0 : 2) + (bottom[x] ? 0 : 1)]).join(''))
  }
  return rows.join('\n')
}
