import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { receiptOf } from '../../../../shared/receipt.ts'
import { aGate } from '../../../support/gates.ts'
import { responseAnswer } from '../../../support/responses.ts'
import { aWorld, type Person, type World } from '../../../support/world.ts'
import { lastReceipt, receiptsOf } from './receipts.ts'

let world: World
let alice: Person

beforeAll(async () => {
  world = await aWorld({ options: { ModelRatio: { 'gpt-5': 1, 'gpt-image-1-mini': 1 }, RetryTimes: 0 } })
  await world.channel({ models: 'gpt-5' })
  alice = await world.user({ quota: 1_000_000_000 })
})
beforeEach(() => world.upstream.reset())

const IMAGE_GEN = {
  input_tokens: 1040,
  input_tokens_details: { text_tokens: 40, image_tokens: 1000 },
  output_tokens: 7024,
  output_tokens_details: { image_tokens: 7024, text_tokens: 0 },
  total_tokens: 8064,
}
const drawn = { id: 'ig_1', type: 'image_generation_call', status: 'completed', quality: 'low', result: 'iVBORw0KGgo=' }
const ran = (container_id: string) => ({
  id: 'ci_1',
  type: 'code_interpreter_call',
  status: 'completed',
  code: '1',
  container_id,
})

type Wire = Readonly<{ output?: readonly object[]; tool_usage?: object; tools?: readonly object[] }>

/** The log row of a call whose response has used the given tools. */
async function charged({ output = [], ...more }: Wire, stream = false, tools = more.tools ?? [], key?: string) {
  const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 }
  const response = {
    id: 'resp_1',
    object: 'response',
    status: 'completed',
    model: 'gpt-5',
    error: null,
    output,
    usage,
    ...more,
  }
  if (stream)
    world.upstream.streams([
      { type: 'response.created', response: { ...response, status: 'in_progress', output: [], usage: null } },
      ...output.map((item, output_index) => ({ type: 'response.output_item.done', output_index, item })),
      { type: 'response.completed', response },
    ])
  else world.upstream.answers({ body: response })
  const before = (await receiptsOf(world, alice.id)).length
  const answer = await alice.calls(
    '/v1/responses',
    { model: 'gpt-5', input: 'Draw.', tools, stream },
    key ? { key } : {},
  )
  expect(answer.status, answer.text).toBe(200)
  const row = await lastReceipt(world, alice.id, before + 1)
  expect(receiptOf({ ...row, other: JSON.stringify(row.other) })?.charge).toBe(row.quota)
  return row
}

/** The cost of the response's own tokens: 100 prompt tokens, and 10 completion tokens at eight times the price. */
const OWN = 180

describe('tools that OpenAI runs (docs/reference/billing.md#tools)', () => {
  it.each([false, true])('charges pictures at the price of the model that draws them, streamed %s', async (stream) => {
    const row = await charged({ output: [drawn], tool_usage: { image_gen: IMAGE_GEN } }, stream)
    // Dollars per million: text 5, image 8, output 30.
    expect(row.quota).toBe(OWN + 2.5 * (40 + 1000 * 1.6 + 7024 * 6))
    expect(row.other.second_model).toMatchObject({
      model: 'gpt-image-2',
      calls: 1,
      prompt_tokens: 40,
      image_tokens: 1000,
    })
  })

  it('charges them where the answer has no item for them', async () => {
    const row = await charged({ tool_usage: { image_gen: { output_tokens: 1000 } } })
    expect(row.quota).toBe(OWN + 2.5 * 6000)
  })

  it('charges the maximum price of a picture of its quality where the answer has no usage, but none that the model drew itself', async () => {
    const asked = await charged({ output: [drawn, drawn], tools: [{ type: 'image_generation' }] })
    expect(asked.quota).toBe(OWN + 2.5 * 6 * 2 * 408)
    expect((await charged({ output: [drawn], tools: [] })).quota).toBe(OWN)
  })

  it('takes the price that the operator has set for the model that the call names, by the picture as well', async () => {
    const tools = [{ type: 'image_generation', model: 'gpt-image-1-mini' }]
    const wire = { output: [drawn, drawn], tool_usage: { image_gen: { input_tokens: 10, output_tokens: 100 } }, tools }
    expect((await charged(wire)).quota).toBe(OWN + 10 + 100 * 4)
    await world.option('ModelPrice', { 'gpt-image-1-mini': 0.02 })
    expect((await charged(wire)).quota).toBe(OWN + 2 * 10_000)
    await world.option('ModelPrice', {})
  })

  it('refuses a model for pictures that the key may not use', async () => {
    const { key } = await world.token(alice, { model_limits_enabled: true, model_limits: 'gpt-5' })
    const body = {
      model: 'gpt-5',
      input: 'Draw.',
      tools: [{ type: 'image_generation', model: 'gpt-image-2.6-sunburst' }],
    }
    const answer = await alice.calls('/v1/responses', body, { key })
    expect([answer.status, answer.json.error.code]).toEqual([403, 'model_not_allowed'])
    expect(answer.text).toContain('gpt-image-2.6-sunburst')
    expect(world.upstream.requests).toHaveLength(0)
    expect((await charged({}, false, [{ type: 'image_generation' }], key)).quota).toBe(OWN)
  })

  it('refuses a name for it that no model has', async () => {
    const tools = [{ type: 'image_generation', model: 'x'.repeat(256) }]
    const answer = await alice.calls('/v1/responses', { model: 'gpt-5', input: 'Draw.', tools })
    expect([answer.status, answer.json.error.code]).toEqual([400, 'model_too_long'])
  })

  it.each([false, true])(
    'charges each container in which programs ran once, by its memory, streamed %s',
    async (stream) => {
      const tools = [{ type: 'code_interpreter', container: { type: 'auto', memory_limit: '4g' } }]
      const output = [ran('cntr_1'), ran('cntr_1'), ran('cntr_2')]
      const row = await charged({ output, tools }, stream)
      expect(row.quota).toBe(OWN + 2 * 4 * 15_000)
      expect(row.other).toMatchObject({ code_interpreter_call_count: 8, code_interpreter_price: 30 })
      expect((await charged({ output: [ran('cntr_1')] })).quota).toBe(OWN + 15_000)
    },
  )

  it('charges the container of a shell that OpenAI hosts, and nothing for the caller’s own', async () => {
    const shell = (environment: object) => ({
      id: 'sh_1',
      type: 'shell_call',
      call_id: 'c',
      action: { commands: [] },
      environment,
    })
    const hosted = shell({ type: 'container_reference', container_id: 'cntr_1' })
    expect((await charged({ output: [hosted] })).quota).toBe(OWN + 15_000)
    expect((await charged({ output: [shell({ type: 'local' })] })).quota).toBe(OWN)
  })

  it('trusts the number of searches that the answer reports as billed', async () => {
    const search = { id: 'ws_1', type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'x' } }
    const row = await charged({ output: [search, search], tool_usage: { web_search: { num_requests: 1 } } })
    expect(row.other.web_search_call_count).toBe(1)
  })
})

describe('the reservation for tools that OpenAI runs (docs/reference/billing.md#hold)', () => {
  it('leaves nothing to a second call while a first one draws with the last of a balance', async () => {
    const poor = await world.user({ quota: 60_000 })
    const gate = aGate()
    gate.close()
    world.upstream.answers(async () => {
      await gate.pass()
      return { body: responseAnswer({ texts: ['Done.'] }) }
    })
    const tools = [{ type: 'image_generation' }]
    const first = poor.calls('/v1/responses', { model: 'gpt-5', input: 'Draw.', tools, max_output_tokens: 16 })
    await expect.poll(() => gate.arrived).toBe(1)
    const second = await poor.calls('/v1/responses', { model: 'gpt-5', input: 'Draw.', tools, max_output_tokens: 16 })
    expect([second.status, second.json.error.code]).toEqual([403, 'insufficient_user_quota'])
    gate.open()
    await first
  })
})
