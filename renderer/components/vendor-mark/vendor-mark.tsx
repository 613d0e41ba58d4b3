import './vendor-mark.css'
import type { ChannelTypeName } from '../../../shared/channel-types.ts'
import { vendorMarks } from './vendor-marks.ts'

/** The drawing of a type of channel, in the colour of the text around it; a name stands beside it, so nobody is read it. */
export function VendorMark({ type, size = 16 }: Readonly<{ type: ChannelTypeName; size?: number }>) {
  return (
    <svg className="vendor-mark" viewBox="0 0 24 24" width={size} height={size} aria-hidden>
      <path d={vendorMarks[type]} />
    </svg>
  )
}
