import { beforeAll, describe, expect, it } from 'vitest'
import { lastReceipt } from '../gateway/relay/metering/receipts.ts'
import { flacOfComments, mp3, wav } from '../gateway/relay/tokenizer/recordings.ts'
import { watchTurns } from '../support/turns.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/** An ID3v2 tag of 14-byte frames that is `size` bytes long, before some audio. */
function mp3OfTags(size: number): Buffer {
  const body = Buffer.alloc(size - (size % 14), Buffer.from('TXXX\0\0\0\x04\0\0\0A\0B', 'latin1'))
  const length = [21, 14, 7, 0].map((bits) => (body.length >> bits) & 127)
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(length), body, mp3(5)])
}

const attacks = [
  ['a tag of many frames', mp3OfTags(5_000_000)],
  ['as many comments as fit', flacOfComments(1_000_000)],
  [
    'a box for every eight bytes',
    Buffer.concat([Buffer.from('\0\0\0\x10ftypM4A \0\0\0\0'), Buffer.alloc(5_000_000, '\0\0\0\x08free')]),
  ],
  ['frames that never begin', Buffer.concat([Buffer.from('ID3\x03\0\0\0\0\0\0'), Buffer.alloc(5_000_000, 0xff)])],
  [
    'chunks without content',
    Buffer.concat([Buffer.from('RIFF\xff\xff\xff\x7fWAVE', 'latin1'), Buffer.alloc(5_000_000, 'junk\0\0\0\0')]),
  ],
] as const

let world: World
let mallory: Person
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'whisper-1' })
  mallory = await world.user({ quota: 0 })
  alice = await world.user({ quota: 100_000_000 })
})

/** The status of a transcription, and the CPU time of the longest turn of the event loop during it, in milliseconds. */
async function transcribe(who: Person, bytes: Buffer): Promise<[status: number, longest: number]> {
  const key = await who.key()
  const form = new FormData()
  form.append('model', 'whisper-1')
  form.append('file', new Blob([new Uint8Array(bytes)]), 'talk')
  const longest = watchTurns()
  const headers = { authorization: `Bearer sk-${key}` }
  const answer = await fetch(`${world.url}/v1/audio/transcriptions`, { method: 'POST', headers, body: form })
  await answer.text()
  return [answer.status, longest()]
}

describe('a recording made to block its parser (docs/reference/tokens.md#recordings)', () => {
  it.each(attacks)('delays no other request, sent with a key that has no quota: %s', async (_, bytes) => {
    const honest = wav(5_000_000 / 16_000)
    const [, first] = await transcribe(mallory, honest)
    const [, second] = await transcribe(mallory, honest)
    const [status, longest] = await transcribe(mallory, bytes)
    expect(status).toBe(403)
    expect(longest).toBeLessThan(5 * Math.max(first, second))
  })

  it('is estimated by its size where it takes too long; the next one is measured', async () => {
    world.upstream.answers({ body: { text: 'hello' } })
    const bytes = flacOfComments(2_000_000)
    expect((await transcribe(alice, bytes))[0]).toBe(200)
    expect((await lastReceipt(world, alice.id)).prompt_tokens).toBe(
      Math.round((Math.ceil(bytes.length / 16_000) / 60) * 1000),
    )
    await transcribe(alice, wav(60))
    await expect.poll(async () => (await lastReceipt(world, alice.id)).prompt_tokens).toBe(1000)
  })
})
