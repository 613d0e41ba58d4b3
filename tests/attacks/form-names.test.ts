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

describe('a form with part names that two parsers read differently (docs/reference/limits.md#bodies)', () => {
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

describe('a form that two readers would read differently', () => {
  const bare = (text: string) => `--x\r\n\r\n${text}\r\n`
  it.each([
    ['a part without a name', [model, bare('x'.repeat(150_000)), file]],
    ['a hundred thousand empty parts', [model, bare('').repeat(100_000), file]],
    ['a part of another kind', [model, '--x\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n', file]],
    ['two names of a part', [part('name="model"; name="a"', 'whisper-1'), file]],
    ['two headers of one name', [`--x\r\nContent-Disposition: form-data; name="a"\r\n${model.slice(5)}`, file]],
    [
      'a part that is encoded',
      [model, `--x\r\nContent-Transfer-Encoding: base64\r\n${part('name="prompt"', 'eA==').slice(5)}`, file],
    ],
    ['a longer line in place of a boundary', [model, part('name="prompt"', 'a\r\n--xy\r\nb'), file]],
    ['words before its first boundary', [`hello\r\n${model}`, file]],
    ['words behind its end', [model, file, '--x--\r\nhello']],
    ['a field and a file of one name', [model, part('name="file"', 'x'), file]],
    ['a file named as a member of a field', [model, part('name="model[a]"; filename="a"', 'x'), file]],
    [
      'the list of a field that has one value',
      [part('name="model[]"', 'whisper-1'), part('name="model"; filename="a"', 'x'), file],
    ],
  ])('is refused: %s', async (_, parts) => {
    const { status, json } = await sends(...parts)
    expect([status, json.error.code]).toEqual([400, 'read_request_body_failed'])
    expect(world.upstream.requests).toEqual([])
  })

  it('is refused where a field has the list of another that decides the price', async () => {
    const { status } = await sends(model, part('name="n[]"', '10'), file)
    expect(status).toBe(400)
  })

  it.each([
    ['name="file"; filename*=UTF-8\'\'%C3%A4%20b.wav', 'ä b.wav'],
    ['name="file"; filename="plain.wav"; filename*=UTF-8\'\'other.wav', 'plain.wav'],
    ['name=file; filename=talk.wav', 'talk.wav'],
    ['name="file"; filename="a \\"quoted\\" one.wav"', 'a %22quoted%22 one.wav'],
  ])('is read as in RFC 7578: %s', async (head, name) => {
    world.upstream.answers({ body: { text: 'hello' } })
    const { status } = await sends(model, part(head, 'RIFF\r\n--y'))
    expect(status).toBe(200)
    expect(world.upstream.last().text).toContain(`filename="${name}"`)
    expect(world.upstream.last().text).toContain('RIFF\r\n--y')
  })
})
