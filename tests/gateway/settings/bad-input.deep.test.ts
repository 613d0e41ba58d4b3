import { beforeAll, describe, expect, it } from 'vitest'
import { en } from '../../../shared/messages/en.ts'
import { zh } from '../../../shared/messages/zh.ts'
import { labelOf, type OptionKey, optionKeys, options, rangeOf } from '../../../shared/options/index.ts'
import { aClient, type Client } from '../../support/client.ts'
import { aWorld, type World } from '../../support/world.ts'
import { invalidJson } from './examples.ts'

/** Values that no option accepts. */
const badForAll: readonly unknown[] = [null, [], {}, ['true'], '\ud800', 'a\udc00b', 'a\0b', 'x'.repeat(1_000_001)]
const badAddresses = [
  'ftp://a.example',
  'https://u:p@a.example',
  'http://169.254.169.254/x',
  'http://metadata.google.internal',
]
const badFlags = ['', 'yes', '1', 'TRUE', ' true', 1, 0, 'NaN', '{}']
const badNumbers = ['', 'many', 'NaN', 'Infinity', '-Infinity', '0x10', '1e400', '-1e400', '1,5', '1 2', true, '[1]']
const badJson = ['', '{', '{"a":', "{'a':1}", '[1,]', 'NaN', '[Infinity]', '{"a":1e}', '{"a" 1}', 'undefined', '{}{}']
const refusedJson = [
  '"a text"',
  'true',
  '7',
  'null',
  '{"a":1e400}',
  '{"a":1,"a":1}',
  '{"a":{"b":1,"b":1}}',
  '[{"a":"https://a.example","a":"https://a.example"}]',
  '{"__proto__":1}',
  '{"__proto__":{"default":1}}',
  '[{"__proto__":"https://a.example"}]',
  '{"\\u005f_proto__":"text"}',
  '{"a":"\\ud800"}',
  '{"\\udfff":1}',
  '["\\ud800"]',
  '["a\\u0000"]',
  '[{"name":"n","type":"t","more":{"a":1,"a":2}}]',
  `[{"name":"n","type":"t","more":${'['.repeat(20_000)}${']'.repeat(20_000)}}]`,
  `${'['.repeat(40_000)}${']'.repeat(40_000)}`,
]

let world: World
let chinese: Client
beforeAll(async () => {
  world = await aWorld()
  chinese = aClient(world.url, { ...world.admin.identity(), 'accept-language': 'zh-CN' })
})

const badFor = (key: OptionKey): readonly unknown[] => {
  const { wire, control, bounds } = options[key] as {
    wire: string
    control?: string
    bounds?: { min?: number; above?: number; max: number }
  }
  if (wire === 'flag') return badFlags
  if (control === 'address') return badAddresses
  if (wire === 'number')
    return [...badNumbers, (bounds?.max ?? 0) + 1, bounds?.above ?? (bounds?.min ?? 0) - 1, Number.MAX_VALUE]
  if (wire === 'json') return [...badJson, ...refusedJson, ...invalidJson[key as keyof typeof invalidJson]]
  return []
}

/** The complete table, and all values in effect, including secrets. */
async function everything(): Promise<string> {
  const { db, settings } = world.gateway.inner
  const rows = await db.selectFrom('options').select(['key', 'value']).orderBy('key').execute()
  return JSON.stringify([rows, optionKeys.map((key) => [key, settings.get(key)])])
}

/** The refusals of an invalid value in both languages; fails if the value is accepted. */
async function saidTo(key: OptionKey, value: unknown): Promise<{ english: string; chinese: string }> {
  const [english, translated] = await Promise.all(
    [world.admin, chinese].map((client) => client.put('/api/option', { key, value })),
  )
  const shown = `${key} = ${JSON.stringify(value)?.slice(0, 80)}`
  expect([shown, english?.success, translated?.success]).toEqual([shown, false, false])
  return { english: english?.message ?? '', chinese: translated?.message ?? '' }
}

describe('a bad value of any option (docs/reference/options.md#refusals)', () => {
  it.each(optionKeys)(
    '%s: is refused by name in both languages, and changes nothing',
    { timeout: 60_000 },
    async (key) => {
      const before = await everything()
      for (const value of badFor(key)) {
        const said = await saidTo(key, value)
        expect(said.english).toContain(en[labelOf(key)])
        expect(said.chinese).toContain(zh[labelOf(key)])
        expect(said.english + said.chinese, 'all is filled in').not.toMatch(/\{\w+\}|\$t\(|undefined/)
        expect(said.english.length).toBeLessThan(400)
      }
      for (const value of badForAll) {
        const said = await saidTo(key, value)
        expect(said.english, 'in words').toMatch(/[a-z]{3}/)
        expect(said.chinese).toMatch(/[\u4e00-\u9fff]/)
      }
      expect(await everything()).toBe(before)
    },
  )

  it('is refused together with good ones, which are all refused with it', async () => {
    const before = await everything()
    for (const key of optionKeys) {
      const [value = null] = badFor(key)
      const changes = [
        { key: key === 'EpayId' ? 'Footer' : 'EpayId', value: 'a good one' },
        { key, value },
      ]
      const reply = await world.admin.put('/api/option/batch', { changes })
      expect([key, reply.success]).toEqual([key, false])
      if (value !== null) expect(reply.message).toContain(en[labelOf(key)])
    }
    expect(await everything()).toBe(before)
  })

  it('reports the range of a number', async () => {
    for (const key of optionKeys.filter((one) => rangeOf(one))) {
      const { min, max } = rangeOf(key)?.params ?? {}
      for (const value of ['many', 'NaN', '1e400']) {
        const said = await saidTo(key, value)
        for (const text of Object.values(said)) {
          expect(text).toContain(String(min))
          expect(text).toContain(String(max))
        }
      }
    }
  })

  it.each([
    ['GroupRatio', '{\n  "default": 1,\n  "vip": }', 3, 10],
    ['GroupRatio', '{\n  "default": 1,\n  "vip": -1\n}', 3, 10],
    ['GroupRatio', '{\n  "default": 1,\n  "default": 2\n}', 3, 3],
    ['GroupRatio', '{\n  "default": 1,\n  "__proto__": 2\n}', 3, 3],
    ['ModelRatio', '{"a": 1,\n "b": "2"}', 2, 7],
    ['GroupGroupRatio', '{"vip": {\n"x": -1}}', 2, 6],
    ['Chats', '[\n {"One": "https://a.example"},\n {"Two": "javascript:alert(1)"}\n]', 3, 2],
    ['AutoGroups', '["default",\n\n ""]', 3, 2],
    ['ModelRequestRateLimitGroup', '{"vip":\n [1,0]}', 2, 2],
    ['claude.default_max_tokens', '{}', 1, 1],
  ] as const)('%s: %s is refused at line %i, column %i', async (key, raw, line, column) => {
    const said = await saidTo(key, raw)
    expect(said.english).toContain(`line ${line}, column ${column}`)
    expect(said.chinese).toContain(`第 ${line} 行第 ${column} 列`)
  })

  it('reports the accepted kind of value, and its maximum length', async () => {
    for (const value of [null, {}, 'x'.repeat(1_000_001)]) {
      const said = await saidTo('Notice', value)
      expect(said.english).toContain('text of at most 1000000 characters, a number, or true or false')
      expect(said.chinese).toContain('1000000')
    }
  })
})

describe('a malformed call', () => {
  const put = (body: string | Uint8Array<ArrayBuffer>) =>
    fetch(`${world.url}/api/option`, {
      method: 'PUT',
      headers: { ...world.admin.identity(), 'content-type': 'application/json', 'accept-language': 'en' },
      body,
    })

  it.each([
    ['ten million bytes', JSON.stringify({ key: 'Notice', value: 'x'.repeat(10_000_000) }), /4 MiB/],
    ['ten million bytes of ratios', `{"key":"ModelRatio","value":"{${'\\"m\\":1,'.repeat(1_000_000)}"}`, /4 MiB/],
    ['a number too large for a number', '{"key":"RetryTimes","value":1e400}', /text of at most/],
    ['an open brace', '{"key":"RetryTimes","value":"3"', /JSON/],
    ['no JSON number', '{"key":"RetryTimes","value":NaN}', /JSON/],
    ['no key', '{"value":"3"}', /key/],
    ['a key that is none', '{"key":7,"value":"3"}', /key/],
    ['the name of a built-in', '{"key":"__proto__","value":"3"}', /Unknown option __proto__/],
    ['another name of a built-in', '{"key":"constructor","value":"3"}', /Unknown option constructor/],
    ['a name with a blank', '{"key":"RetryTimes ","value":"3"}', /Unknown option/],
    [
      'a name of an earlier release',
      '{"key":"FileUploadPermission","value":"1"}',
      /Unknown option FileUploadPermission/,
    ],
    ['bytes that are no text', new Uint8Array([0x22, 0xff, 0xfe, 0x22]), /JSON/],
  ])('%s is refused with a message, and changes nothing', async (_, body, told) => {
    const before = await everything()
    const answer = await put(body)
    const { success, message } = (await answer.json()) as { success: boolean; message: string }
    expect(success).toBe(false)
    expect(message).toMatch(told)
    expect(await everything()).toBe(before)
  })

  it('reveals nothing of a refused value where the option is a secret', async () => {
    for (const key of optionKeys.filter((one) => options[one].secret)) {
      const said = await saidTo(key, 'canary\ud800')
      expect(JSON.stringify(said)).not.toContain('canary')
    }
  })
})
