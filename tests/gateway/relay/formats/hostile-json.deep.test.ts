import { describe, expect, it } from 'vitest'
import { GatewayError } from '../../../../gateway/base/errors.ts'
import { formats } from '../../../../gateway/relay/formats/format.ts'
import { aWorld } from '../../../support/world.ts'
import { pairs } from '../goldens/golden.ts'
import { requestGoldens } from '../goldens/requests/index.ts'
import { requestAsked, requestOf } from './hostile-json.ts'

const NUMBER = '18446744073709551615'
const PLACE = '"the number"'

/** All JSON texts of `value` with one of its members, at any depth, replaced by a large number. */
function* numbered(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return
  for (const [key, member] of Object.entries(value)) {
    const put = (odd: unknown) =>
      JSON.stringify(
        Array.isArray(value) ? value.map((one, at) => (at === Number(key) ? odd : one)) : { ...value, [key]: odd },
      )
    yield put(JSON.parse(PLACE)).replace(PLACE, NUMBER)
    for (const inner of numbered(member)) yield put(JSON.parse('"the member"')).replace('"the member"', () => inner)
  }
}

describe('a large number anywhere in a request (docs/reference/conversion.md#embedded-json)', () => {
  it.each(pairs)('is carried or refused, and no fault, $pair', ({ from, to }) => {
    const faults: string[] = []
    let count = 0
    for (const { forms } of Object.values(requestGoldens).flat())
      for (const text of numbered(forms[from] ?? {})) {
        count += 1
        try {
          requestAsked(text, from, to)
        } catch (cause) {
          if (!(cause instanceof GatewayError)) faults.push(`${cause}: ${text.slice(0, 300)}`)
        }
      }
    expect(faults.slice(0, 5)).toEqual([])
    expect(count).toBeGreaterThan(1000)
  })

  it('never causes a server error either', async () => {
    const world = await aWorld({ options: { SelfUseModeEnabled: true, RetryTimes: 0 } })
    await world.channel({ models: 'a-model' })
    const alice = await world.user({ quota: 1_000_000_000 })
    const paths = {
      openai: '/v1/chat/completions',
      responses: '/v1/responses',
      anthropic: '/v1/messages',
      gemini: '/v1beta/models/a-model:generateContent',
    }
    const faults: string[] = []
    const found = {
      arguments: '{"a":1}',
      result: '{"a":1}',
      schema: '{"type":"object","properties":{"a":{"type":"integer"}}}',
    }
    for (const from of formats)
      for (const text of numbered({
        model: 'a-model',
        temperature: 1,
        max_tokens: 9,
        n: 1,
        ...JSON.parse(requestOf[from](found)),
      })) {
        const { status } = await alice.calls(paths[from], text)
        if (status >= 500) faults.push(`${status} ${from}: ${text}`)
      }
    expect(faults).toEqual([])
  })
})
