import { useMemo } from 'react'
import { encode } from 'uqr'

/** A QR code in black on white with a quiet zone, whatever the theme. */
export function QrCode({ text, label }: Readonly<{ text: string; label: string }>) {
  const { size, path } = useMemo(() => drawn(text), [text])
  return (
    <svg className="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

/** Quiet zone in modules, as ISO 18004 requires. */
const QUIET_ZONE = 4

function drawn(text: string): Readonly<{ size: number; path: string }> {
  const { size, data } = encode(text, { ecc: 'M', border: QUIET_ZONE })
  const dark = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])))
  return { size, path: dark.join('') }
}
