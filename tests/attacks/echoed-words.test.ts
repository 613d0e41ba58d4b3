import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Recorded, Script } from '../support/upstream.ts'
import { aWorld, type World } from '../support/world.ts'

/** One of the default keywords. */
const WORDS = 'Your credit balance is too low'
const ESCAPED = [...WORDS].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')

const refusing =
  (status: number, message: (request: Recorded) => string) =>
  (request: Recorded): Script => ({
    status,
    body: { error: { message: message(request), type: 'invalid_request_error' } },
  })

let world: World
beforeAll(async () => {
  world = await aWorld({ options: { AutomaticDisableChannelEnabled: true, RetryTimes: 0, SelfUseModeEnabled: true } })
})
beforeEach(() => world.upstream.reset())

/** Creates a channel with a new model; `status` reads its status from the database. */
let models = 0
async function watched(fields: object = {}): Promise<{ model: string; status: () => Promise<number> }> {
  models += 1
  const model = `m${models}`
  const id = await world.channel({ models: model, ...fields })
  const { db } = world.gateway.inner
  const row = () => db.selectFrom('channels').select('status').where('id', '=', id).executeTakeFirstOrThrow()
  return { model, status: async () => (await row()).status }
}

/** Ways in which a caller makes the vendor echo its text. */
const echoes: readonly (readonly [string, (said: Recorded) => string, string])[] = [
  ['in the body', ({ json }) => `rejected: ${json.messages[0].content}`, JSON.stringify(WORDS)],
  [
    'in the body in another case',
    ({ json }) => json.messages[0].content.toLowerCase(),
    JSON.stringify(WORDS.toUpperCase()),
  ],
  ['escaped within the body', ({ json }) => json.messages[0].content, `"${ESCAPED}"`],
  ['as JSON within JSON', ({ json }) => JSON.parse(json.messages[0].content).a, JSON.stringify(`{"a":"${ESCAPED}"}`)],
  [
    'spaced out',
    ({ json }) => json.messages[0].content.replace(/\s+/g, ' '),
    JSON.stringify(WORDS.replaceAll(' ', '\n  ')),
  ],
  ...[...Array(12).keys()].map(
    (at) =>
      [
        `escaped after ${65_475 + at} letters`,
        ({ json }: Recorded) => json.messages[0].content.replaceAll('x', ''),
        `"${'x'.repeat(65_475 + at)}${ESCAPED}"`,
      ] as const,
  ),
  [
    'in pieces',
    ({ json }) => json.stop.join(''),
    `"hi"},{"role":"user","content":"hi"}],"stop":[${JSON.stringify(WORDS.slice(0, 9))},${JSON.stringify(WORDS.slice(9))}],"x":[{"y":"z"`,
  ],
]

it.each(echoes)(
  'a caller cannot switch a channel off by words that the vendor repeats: %s',
  async (_where, echo, content) => {
    for (const [type, code] of [
      [1, 403],
      [1, 429],
      [1, 402],
      [1, 400],
      [14, 400],
    ] as const) {
      const { model, status } = await watched({ type })
      const said = (request: Recorded) => echo(type === 14 ? asChat(request) : request)
      world.upstream.answers(refusing(code, said))
      const asked = world.upstream.requests.length
      const body = `{"model":"${model}","messages":[{"role":"user","content":${content}}]}`
      const { status: told } = await world.admin.calls('/v1/chat/completions', body)
      expect([type, code, told >= 400, await status()]).toEqual([type, code, true, 1])
      expect(world.upstream.requests.length).toBe(asked + 1)
    }
  },
)

it('nor by words in a header or in the address', async () => {
  for (const name of ['user-agent', 'x-stainless-lang']) {
    const { model, status } = await watched()
    world.upstream.answers(refusing(403, () => `request blocked for ${WORDS}`))
    await world.admin.asks(model, 'hi', { headers: { [name]: WORDS } })
    expect(await status()).toBe(1)
  }
  const { model, status } = await watched()
  world.upstream.answers(refusing(403, () => WORDS))
  const question = { model, messages: [{ role: 'user', content: 'hi' }] }
  await world.admin.calls(`/v1/chat/completions?note=${encodeURIComponent(WORDS)}`, question)
  expect(await status()).toBe(1)
})

it('nor where the vendor refuses the question and not the account', async () => {
  for (const code of [400, 404, 413, 422, 500, 503]) {
    const { model, status } = await watched()
    world.upstream.answers(refusing(code, () => WORDS))
    await world.admin.asks(model, 'hi')
    expect([code, await status()]).toEqual([code, 1])
  }
})

it('nor by a status that the operator has mapped the vendor’s to', async () => {
  const { model, status } = await watched({ status_code_mapping: '{"400":"401","422":"403"}' })
  for (const code of [400, 422]) {
    world.upstream.answers(refusing(code, () => WORDS))
    await world.admin.asks(model, 'hi')
  }
  expect(await status()).toBe(1)
})

it('a vendor that refuses the account in other words still disables the channel', async () => {
  for (const [fields, code] of [
    [{}, 402],
    [{}, 403],
    [{}, 429],
    [{ type: 14 }, 400],
    [{ status_code_mapping: '{"402":"400"}' }, 402],
  ] as const) {
    const { model, status } = await watched(fields)
    world.upstream.answers(refusing(code, () => `${WORDS}. Please add funds.`))
    await world.admin.asks(model, 'what does a credit balance mean?')
    expect([fields, code, await status()]).toEqual([fields, code, 3])
  }
})

/** A request in Anthropic's dialect, read as an OpenAI one. */
const asChat = (request: Recorded): Recorded => {
  const { messages, stop_sequences: stop } = request.json
  const contents = messages.map(({ role, content }: { role: string; content: unknown }) => ({
    role,
    content: typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join(''),
  }))
  return { ...request, json: { ...request.json, messages: contents, stop } }
}
