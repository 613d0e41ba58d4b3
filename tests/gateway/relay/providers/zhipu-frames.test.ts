import { expect, it } from 'vitest'
import { LineTooLong } from '../../../../gateway/relay/formats/refusals.ts'
import { createFrameReader } from '../../../../gateway/relay/providers/zhipu/frames.ts'

it('an event without an end is not waited for at any length', () => {
  const reader = createFrameReader()
  const part = Buffer.from(`data: ${'x'.repeat(64 * 1024)}\n`)
  expect(() => {
    for (let turn = 0; turn < 16; turn += 1) reader.feed(part)
  }).toThrow(LineTooLong)
})
