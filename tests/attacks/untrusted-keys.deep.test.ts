import { afterAll, beforeAll, expect, it } from 'vitest'
import { isObject } from '../../gateway/base/json/json.ts'
import type { Json } from '../../gateway/relay/formats/codec.ts'
import type { Format } from '../../gateway/relay/formats/format.ts'
import { channelTypes } from '../../shared/channel-types.ts'
import type { RequestGolden } from '../gateway/relay/goldens/golden.ts'
import { requestGoldens } from '../gateway/relay/goldens/requests/index.ts'
import { answered } from '../gateway/relay/parity/vendors.ts'
import { aWorld, type Person, type World } from '../support/world.ts'

/**
 * No value of a request is a key of a `Map` or `Set`, or the name of a member sent to a vendor, if V8 hashes it by its
 * length only or by a known function (docs/reference/security.md#input): each text and number of the requests of
 * docs/fidelity.md is replaced by a marked one, for each vendor that converts it. Nor is the name of an object's
 * built-in member mistaken for one of ours.
 */
const MARK = 'untrusted'
const LONG = `${MARK}${'x'.repeat(16_384)}`
const NUMBER = 123_456_701

const vendors: readonly (readonly [model: string, type: number, key?: string])[] = [
  ['gpt-4o', channelTypes.openai.id],
  ['gpt-5-pro', channelTypes.openai.id],
  ['claude-sonnet-4-5', channelTypes.anthropic.id],
  ['gemini-2.5-flash', channelTypes.gemini.id],
  ['gemini-2.0-flash', channelTypes.gemini.id],
  ['gemini-3-pro', channelTypes.gemini.id],
  ['command-r', channelTypes.cohere.id],
  ['hunyuan', channelTypes.tencent.id, '1|id|key'],
  ['deepseek-chat', channelTypes.deepseek.id],
  ['qwen-max', channelTypes.ali.id],
  ['mistral-large', channelTypes.mistral.id],
  ['ernie-4', channelTypes.baidu.id, 'a|b'],
]

/** Members that the examples do not have. */
const more: Readonly<Record<Format, readonly Json[]>> = {
  openai: [],
  responses: [
    { input: 'Hello', tools: [{ type: 'image_generation', model: 'gpt-image-1' }] },
    { input: [{ type: 'reasoning', summary: [], encrypted_content: 'switchyard:gemini:call=a:v' }] },
  ],
  anthropic: [
    { messages: [{ role: 'assistant', content: [{ type: 'redacted_thinking', data: 'switchyard:gemini:call_a:v' }] }] },
    { messages: [], tools: [{ type: 'advisor_20260301', name: 'advisor', model: 'claude-opus-4-5' }] },
  ],
  gemini: [],
}

const found = new Set<string>()
let sent = ''
const { set } = Map.prototype
const { add } = Set.prototype

let world: World
let mallory: Person
beforeAll(async () => {
  world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
  for (const [models, type, key = 'key'] of vendors) await world.channel({ type, models, key })
  mallory = await world.user({ quota: 1_000_000_000_000 })
  await mallory.key()
  Map.prototype.set = function (key, value) {
    note(key)
    return set.call(this, key, value)
  }
  Set.prototype.add = function (key) {
    note(key)
    return add.call(this, key)
  }
})
afterAll(() => {
  Map.prototype.set = set
  Set.prototype.add = add
})

function note(key: unknown): void {
  const isLong = typeof key === 'string' && key.length > 16_383 && key.includes(MARK)
  if (!isLong && key !== NUMBER) return
  const lines = new Error().stack?.split('\n').slice(3) ?? []
  const line = lines.find((each) => /\/gateway\//.test(each) && !/untrusted-keys/.test(each))
  if (line) add.call(found, `${line.replace(/^.*\/(?=gateway\/)/, '')} ${sent}`)
}

type Path = readonly (string | number)[]

function* valuesIn(value: unknown, path: Path = []): Generator<readonly [path: Path, value: unknown]> {
  if (Array.isArray(value)) for (const [at, item] of value.entries()) yield* valuesIn(item, [...path, at])
  else if (isObject(value)) for (const [name, member] of Object.entries(value)) yield* valuesIn(member, [...path, name])
  else yield [path, value]
}

function replaced(value: unknown, [first, ...rest]: Path, by: unknown): unknown {
  if (first === undefined) return by
  if (Array.isArray(value)) return value.map((item, at) => (at === first ? replaced(item, rest, by) : item))
  return isObject(value) ? { ...value, [first]: replaced(value[first], rest, by) } : value
}

/** The value inside, before and instead of which a long text stands, and a number instead. */
const marked = (value: unknown): readonly unknown[] =>
  typeof value === 'string'
    ? [LONG, value + LONG, value.replace(/[:=_/]/, (mark) => mark + LONG), NUMBER, 'constructor', '__proto__']
    : [LONG, NUMBER]

const paths: Readonly<Record<Exclude<Format, 'gemini'>, string>> = {
  openai: '/v1/chat/completions',
  responses: '/v1/responses',
  anthropic: '/v1/messages',
}

async function send(format: Format, model: string, body: unknown): Promise<void> {
  world.upstream.reset()
  world.upstream.answers((request) => answered(request, { texts: ['Hello'] }, {}))
  const [path, json] =
    format === 'gemini'
      ? [`/v1beta/models/${model}:generateContent`, body]
      : [paths[format], { model, ...(isObject(body) ? body : {}) }]
  const { status } = await mallory.calls(path, JSON.stringify(json))
  if (status === 500) add.call(found, `${status} ${model} ${sent}`)
  for (const { text } of world.upstream.requests)
    if (/"[^"]{16384,}"\s*:/.test(text)) add.call(found, `a member sent to the vendor ${sent}`)
}

const forms = (format: Format): readonly Json[] => [
  ...Object.values<readonly RequestGolden[]>(requestGoldens).flatMap((goldens) =>
    goldens.flatMap(({ forms: { [format]: form } }) => (form ? [form] : [])),
  ),
  ...more[format],
]

it.each(['openai', 'responses', 'anthropic', 'gemini'] as const)(
  'a request in the format %s',
  async (format) => {
    const done = new Set<string>()
    for (const form of forms(format))
      for (const [path, value] of valuesIn(form)) {
        // One of all values with the same name and neighbors.
        const owner = path.slice(0, -1).reduce<unknown>((at, name) => (Object(at) as Json)[name], form)
        const kind = isObject(owner) ? `${String(owner.type)} ${String(owner.role)}` : ''
        sent = `${path.map((name) => (typeof name === 'number' ? '#' : name)).join('.')} ${typeof value} ${kind}`
        if (done.has(sent)) continue
        add.call(done, sent)
        for (const by of new Set(marked(value)))
          for (const [model] of vendors) await send(format, model, replaced(form, path, by))
      }
    expect([...found]).toEqual([])
  },
  600_000,
)
