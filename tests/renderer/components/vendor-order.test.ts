import { expect, it } from 'vitest'
import { vendorMarks } from '../../../renderer/components/vendor-mark/vendor-marks.ts'
import { wellKnownFirst } from '../../../renderer/components/vendor-order.ts'
import { type ChannelTypeName, channelTypeNames, channelTypes } from '../../../shared/channel-types.ts'

const selectable: readonly ChannelTypeName[] = channelTypeNames.filter((name) => channelTypes[name].selectable)

it('gives no two vendors the same drawing', () => {
  expect(new Set(channelTypeNames.map((name) => vendorMarks[name])).size).toBe(channelTypeNames.length)
})

it('puts the well known first and leaves none out', () => {
  const ordered = wellKnownFirst(selectable)
  expect(ordered.slice(0, 4)).toEqual(['openai', 'anthropic', 'gemini', 'deepseek'])
  expect(ordered.toSorted()).toEqual(selectable.toSorted())
})
