import fc from 'fast-check'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { editObject, spansOf } from '../../../../gateway/base/json/json-spans.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { CHAT, onTheWire } from '../delivery/wire.ts'

/** Requests with odd spacing and order, unknown fields, numbers beyond 2^53, and every kind of escape. */
const odd = (model: string, more = '') =>
  `\t{ "unknown" : {"b":1,"a":[1.0,1e2,-0 ]},\r\n "seed":12345678901234567890, "model"\n:  "${model}" ,` +
  `"messages":[{"content":"\\u00e9\\ud83d\\ude00 \\"{[,:]}\\\\","role":"user"}]${more} , "tail\\n\\"" :null } \n`

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true } })
  await world.channel({ models: 'gpt-4o' })
  await world.channel({ models: 'mapped', model_mapping: '{"mapped":"the-\\"vendors\\"-name"}' })
  await world.channel({
    models: 'overridden',
    param_override: '{"seed":7,"temperature":0.5}',
  })
  await world.channel({ models: 'no-options', type: 25 })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const sent = async (body: string | Buffer, path = CHAT) => {
  const answer = await onTheWire(world, path, { key: await alice.key(), body })
  expect(answer.status, answer.text).toBe(200)
  return world.upstream.last().bytes.toString('utf8')
}

describe('a request to a channel of the same dialect (docs/reference/conversion.md#same-dialect)', () => {
  it('arrives byte for byte where nothing must change', async () => {
    expect(await sent(odd('gpt-4o'))).toBe(odd('gpt-4o'))
    const asking = odd('gpt-4o', ',"stream":true, "stream_options" : {"include_usage":true,"new":1}')
    expect(await sent(asking)).toBe(asking)
  })

  it('is sent with the headers of the channel and none of the caller (docs/reference/channel-types.md#common-rules)', async () => {
    await onTheWire(world, CHAT, {
      key: await alice.key(),
      body: odd('gpt-4o'),
      headers: { cookie: 'a=b', 'x-mine': '1', 'user-agent': 'mine', 'openai-organization': 'mine' },
    })
    const { headers } = world.upstream.last()
    expect(headers).toMatchObject({ authorization: 'Bearer upstream-key', 'content-type': 'application/json' })
    expect(Object.keys(headers).sort()).toEqual(
      [
        'accept',
        'accept-encoding',
        'authorization',
        'connection',
        'content-length',
        'content-type',
        'host',
        'user-agent',
      ].sort(),
    )
    expect(headers['user-agent']).toMatch(/^Switchyard\//)
  })

  it('changes nothing but the model where that is mapped (docs/reference/selection.md#model-mapping)', async () => {
    const expected = odd('mapped').replace('"mapped"', JSON.stringify('the-"vendors"-name'))
    expect(await sent(odd('mapped'))).toBe(expected)
  })

  it('changes nothing but the overridden members (docs/reference/selection.md#parameter-overrides)', async () => {
    const expected = odd('overridden')
      .replace('12345678901234567890', '7')
      .replace('"tail\\n\\"" :null', '"tail\\n\\"" :null,"temperature":0.5')
    expect(await sent(odd('overridden'))).toBe(expected)
  })

  it('gains only include_usage where a stream lacks it, next to the existing options', async () => {
    const stream = odd('gpt-4o', ',"stream":true')
    const added = ',"stream_options":{"include_usage":true}'
    expect(await sent(stream)).toBe(stream.replace('"tail\\n\\"" :null', `"tail\\n\\"" :null${added}`))
    const options = odd('gpt-4o', ',"stream":true,"stream_options":{"include_usage":false,"later":1}')
    expect(await sent(options)).toBe(
      options.replace('"include_usage":false,"later":1', '"include_usage":true,"later":1'),
    )
  })

  it('loses stream_options before a vendor that does not know them', async () => {
    const body = odd('no-options', ',"stream":true,"stream_options":{"include_usage":true}')
    expect(await sent(body)).toBe(body.replace(',"stream_options":{"include_usage":true}', ''))
  })

  it('gets no overrides when everything passes through', async () => {
    await world.option('global.pass_through_request_enabled', true)
    expect(await sent(odd('overridden'))).toBe(odd('overridden'))
    expect(await sent(odd('mapped'))).toContain('vendors')
    await world.option('global.pass_through_request_enabled', false)
  })

  it('names the model of the path to the upstream (docs/reference/endpoints.md#relayed-paths)', async () => {
    expect(await sent('{"input":"hi"}', '/v1/engines/gpt-4o/embeddings')).toBe('{"input":"hi","model":"gpt-4o"}')
    expect(world.upstream.last().path).toBe('/v1/embeddings')
  })
})

describe('editing an object in its bytes', () => {
  const value = fc.jsonValue()
  // JSON.parse of Node 24.21 sometimes parses a key of one escaped character ("\n", "\"") as a backslash.
  const isParsedWell = (name: string) => name.length !== 1 || JSON.stringify(name).length === 3
  const key = fc.oneof(fc.constantFrom('model', 'a', '__proto__', '""', '\\\\', 'é'), fc.string()).filter(isParsedWell)
  const edit = fc.tuple(key, fc.option(value, { nil: undefined }))
  const members = fc.uniqueArray(fc.tuple(key, value), { selector: ([name]) => name })
  const space = fc.constantFrom('', ' ', '\n\t ', '\r\n')

  it('contains the edited members, in the original order', () => {
    fc.assert(
      fc.property(members, fc.array(edit), space, (given, edits, gap) => {
        const text = given.map(
          ([name, held]) => `${gap}${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(held)}${gap}`,
        )
        const bytes = Buffer.from(`${gap}{${text.join(',')}}${gap}`)
        const wanted = new Map(edits)
        const expected = new Map<string, unknown>(given)
        for (const [name, held] of wanted) if (held === undefined) expected.delete(name)
        for (const [name, held] of wanted) if (held !== undefined) expected.set(name, held)
        const edited = editObject(bytes, spansOf(bytes), wanted).toString()
        const spans = spansOf(Buffer.from(edited))
        expect(spans.members.map((member) => member.key)).toEqual([...expected.keys()])
        const entries = [...expected].map(([name, held]) => [name, JSON.parse(JSON.stringify(held))])
        expect(new Map(Object.entries(JSON.parse(edited)))).toEqual(new Map(entries as [string, unknown][]))
      }),
    )
  })
})
