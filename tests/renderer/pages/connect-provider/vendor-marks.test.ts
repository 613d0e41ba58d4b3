import { expect, it } from 'vitest'
import { vendorMark, wellKnownFirst } from '../../../../renderer/pages/connect-provider/vendor-marks.ts'
import { type ChannelTypeName, channelTypeNames, channelTypes } from '../../../../shared/channel-types.ts'

const selectable: readonly ChannelTypeName[] = channelTypeNames.filter((name) => channelTypes[name].selectable)

it('gives no two vendors the same letters', () => {
  expect(new Set(selectable.map(vendorMark)).size).toBe(selectable.length)
})

it('puts the well known first and leaves nobody out', () => {
  const ordered = wellKnownFirst(selectable)
  expect(ordered.slice(0, 4)).toEqual(['openai', 'anthropic', 'gemini', 'deepseek'])
  expect(ordered.toSorted()).toEqual(selectable.toSorted())
})
