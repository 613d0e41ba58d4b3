import v8 from 'node:v8'
import vm from 'node:vm'
import { describe, expect, it } from 'vitest'
import { appendText, emptyPending, MAX_KEPT } from '../../gateway/relay/websockets/realtime/pending.ts'
import { createTranscripts } from '../../gateway/relay/websockets/realtime/transcripts.ts'

const MIB = 1024 * 1024
v8.setFlagsFromString('--expose_gc')
const collectGarbage: () => void = vm.runInNewContext('gc')

/** MiB that the result of `work` retains. */
function retained(work: () => unknown): number {
  collectGarbage()
  const before = process.memoryUsage().heapUsed
  const result = work()
  collectGarbage()
  const after = process.memoryUsage().heapUsed
  expect(result).toBeDefined()
  return (after - before) / MIB
}

/** The text of a frame as `JSON.parse` returns it. */
const longText = (): string => JSON.parse(`"${'x'.repeat(4 * MIB)}"`)

describe('what a session stores of texts without figures (docs/reference/streams.md#realtime-sessions)', () => {
  it('is the counted start of each, not the frame it is a part of', () => {
    const sessions = () =>
      Array.from({ length: 16 }, () => {
        const pending = emptyPending()
        appendText(pending, longText())
        return pending
      })
    expect(retained(sessions)).toBeLessThan(8)
  })

  it('has one bound for all transcriptions under way', () => {
    const transcripts = createTranscripts()
    for (let item = 0; item < 16; item += 1) transcripts.write(`item-${item}`, undefined, longText())
    const stored = transcripts.takeAll().map(({ output }) => output)
    expect(stored.reduce((all, { text }) => all + text.length, 0)).toBe(MAX_KEPT)
    expect(stored.reduce((all, { text, beyond }) => all + text.length + beyond, 0)).toBe(16 * 4 * MIB)
  })
})
