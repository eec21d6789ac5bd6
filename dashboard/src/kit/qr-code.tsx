import { encodeQR } from 'qr'
import { useMemo } from 'react'
import { text } from '../text/shared.ts'

/** Four modules of empty border, which readers need (ISO/IEC 18004). */
const BORDER = 4

/** A QR code, black on white in both themes, since many readers refuse inverted ones. */
export function QrCode({ value, size = 112 }: { value: string; size?: number }) {
  const { path, modules } = useMemo(() => drawQr(value), [value])
  return (
    <svg
      width={size}
      height={size}
      viewBox={`0 0 ${modules} ${modules}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={text.actions.qrAlt(value)}
    >
      <path d={`M0 0h${modules}v${modules}H0z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawQr(value: string) {
  const rows = encodeQR(value, 'raw', { border: BORDER, ecc: 'medium' })
  const path = rows
    .flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')))
    .join('')
  return { path, modules: rows.length }
}
