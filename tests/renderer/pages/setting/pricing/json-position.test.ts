import { describe, expect, it } from 'vitest'
import { problemOf } from '../../../../../renderer/pages/setting/pricing/json-position.ts'

describe('the position of an error in a price map (docs/reference/screens.md#pricing-editors)', () => {
  it('is reported at the member it is about', () => {
    const text = '{\n  "gpt-4o": 1.25,\n  "o1": "seven"\n}'
    expect(problemOf('ModelRatio', text)).toMatchObject({ key: 'option.map_number', line: 3, column: 3 })
    expect(problemOf('ModelRatio', '{"a": 1, "b": -1}')).toMatchObject({ line: 1, column: 10, params: { name: 'b' } })
    expect(problemOf('ModelRatio', '{"a": 1e999}')).toMatchObject({ line: 1, column: 2 })
    expect(problemOf('ModelRatio', '[]')).toMatchObject({ key: 'option.map_shape', line: 1, column: 1 })
  })

  it('is reported within nested members, and for names', () => {
    const text = '{\n "vip": {\n  "default": null\n }\n}'
    expect(problemOf('GroupGroupRatio', text)).toMatchObject({ key: 'option.map_number', line: 3, column: 3 })
    expect(problemOf('GroupRatio', '{"fine": 1,\n "a,b": 1}')).toMatchObject({
      key: 'option.group_name',
      line: 2,
      column: 2,
    })
    expect(problemOf('AutoGroups', '["a",\n 7]')).toMatchObject({ key: 'option.list_text', line: 2, column: 2 })
  })

  it('is reported for a name that occurs twice', () => {
    expect(problemOf('ModelRatio', '{"a": 1,\n"a": 2}')).toMatchObject({ key: 'price.dup', line: 2, column: 1 })
    expect(problemOf('GroupRatio', '{"a": 1,\n"a": 2}')).toMatchObject({ key: 'option.json_duplicate', line: 2 })
  })

  it('is reported for the steps of long prompts and the factors of tiers', () => {
    const step = (change: object) => JSON.stringify({ gpt: [{ above: 1000, input: 2, output: 1.5, ...change }] })
    const keyOf = (text: string) => problemOf('PriceSteps', text)?.key
    expect(problemOf('PriceSteps', '{"gpt": [\n{"above": 1000, "input": "2", "output": 1}]}')).toMatchObject({
      key: 'option.map_number',
      params: { name: 'gpt.0.input' },
      line: 2,
    })
    expect(keyOf(step({ above: 0 }))).toBe('option.map_count')
    expect(keyOf(step({ above: 1.5 }))).toBe('option.map_count')
    expect(keyOf(step({ above: 1e9 }))).toBe('option.map_max')
    expect(keyOf(step({ below: 1 }))).toBe('option.steps_shape')
    expect(keyOf('{"gpt": [7]}')).toBe('option.steps_shape')
    expect(keyOf('{"gpt": 7}')).toBe('option.steps_shape')
    expect(keyOf(JSON.stringify({ gpt: [2000, 1000].map((above) => ({ above, input: 2, output: 2 })) }))).toBe(
      'option.steps_order',
    )
    expect(problemOf('ServiceTierRatio', '{"flex": -1}')?.key).toBe('option.map_number')
    expect(problemOf('PriceSteps', step({}))).toBeUndefined()
  })

  it('is nothing where the gateway would take the value', () => {
    expect(problemOf('ModelRatio', '{"a": 0}')).toBeUndefined()
    expect(problemOf('ModelRatio', '{')).toBeUndefined()
  })
})
