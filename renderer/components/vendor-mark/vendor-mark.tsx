import './vendor-mark.css'
import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { vendorMarks } from './vendor-marks.ts'

/** A channel type's icon in the text colour; hidden from screen readers, since the name is next to it. */
export function VendorMark({ type, size = 16 }: Readonly<{ type: ChannelTypeName; size?: number }>) {
  return (
    <svg className="vendor-mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <path d={vendorMarks[type]} />
    </svg>
  )
}
