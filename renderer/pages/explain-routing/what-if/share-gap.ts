import type { WhatIfChannel } from '../../../../shared/api/what-if.ts'
import type { Translate } from '../../../translation.ts'
import { percent } from '../percent.ts'

/** A channel to which the rules would have sent another part of the requests than it got, with nothing changed. */
export type ShareGap = Readonly<{ channel: WhatIfChannel; gap: number }>

/** From here on a replay is unlike what happened. */
export const UNLIKE = 0.1
const WORTH_A_WORD = 0.01

/** The widest of these gaps; undefined where all are narrow. */
export function widestGap(channels: readonly WhatIfChannel[]): ShareGap | undefined {
  const gaps = channels.map((channel) => ({ channel, gap: Math.abs(channel.unchanged.share - channel.was.share) }))
  const [widest] = gaps.toSorted((a, b) => b.gap - a.gap)
  return widest && widest.gap >= WORTH_A_WORD ? widest : undefined
}

/** What a sentence about a gap names. */
export const gapText = ({ channel: { name, channel_id: id, unchanged, was } }: ShareGap, t: Translate) => ({
  name: t('explain.named', { name: name || `#${id}` }),
  expected: percent(unchanged.share),
  was: percent(was.share),
})
