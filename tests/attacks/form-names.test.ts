import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { aWorld, type Person, type World } from '../support/world.ts'

let world: World
let alice: Person
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  await world.channel({ models: 'whisper-1,gpt-image-1' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const part = (head: string, value: string) => `--x\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`
const sends = (...parts: string[]) =>
  alice.calls('/v1/audio/transcriptions', `${parts.join('')}--x--\r\n`, {
    headers: { 'content-type': 'multipart/form-data; boundary=x' },
  })
const model = part('name="model"', 'whisper-1')
const file = part('name="file"; filename="talk.wav"', 'RIFF')

describe('a form whose parts are called what two readers read differently (docs/reference/limits.md#bodies)', () => {
  it.each([
    ['a file', 'name="x\\\\"; filename="; name=model; a="'],
    ['a text', 'name="x\\\\"; name=model; a="'],
    ['a quote', 'name="x%22; name=model"'],
    ['a blank, which some leave out', 'name=" model"'],
    ['a list, which some take for its field', 'name="model[]"'],
    ['a member, which some take for its field', 'name="model[0]"'],
  ])('is refused for the name of %s', async (_, head) => {
    const { status, json } = await sends(model, part(head, 'dear-model'), file)
    expect([status, json.error.code]).toEqual([400, 'read_request_body_failed'])
    expect(world.upstream.requests).toEqual([])
  })

  it.each(['C:\\\\talks\\\\talk.wav', '../../talk.wav', 'a\\\\\\";name=model;talk.wav'])(
    'goes out with the own name of a file: %s',
    async (name) => {
      world.upstream.answers({ body: { text: 'hello' } })
      await sends(model, part(`name="file"; filename="${name}"`, 'RIFF'))
      const [head = ''] = /filename="[^\r]*/.exec(world.upstream.last().text) ?? []
      expect(head).not.toContain('\\')
      expect(head).not.toContain('/')
    },
  )
})

it('a form with texts of more than a mebibyte together is refused before it is written as JSON', async () => {
  const texts = Array.from({ length: 5 }, (_, at) => part(`name="prompt${at}"`, 'x'.repeat(250_000)))
  const { status, json } = await sends(model, ...texts, file)
  expect([status, json.error.message]).toEqual([400, expect.stringContaining('the fields of the form are too long')])
})
