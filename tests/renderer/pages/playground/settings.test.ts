import { describe, expect, it } from 'vitest'
import { requestBody } from '../../../../renderer/pages/playground/request-body.ts'
import { boundFine, boundTemperature } from '../../../../renderer/pages/playground/settings.ts'
import { playSettings } from '../../../../renderer/pages/playground/use-play-settings.ts'

const group = (value: string) => ({ value, desc: '', ratio: 1 })
const choices = { groups: ['default', 'team', 'vip'].map(group), models: ['a-model', 'gpt-4o-mini'] }
const usual = { own: 'vip', system: 'Be helpful.' }

describe('the parameters of the playground (docs/reference/screens.md#playground)', () => {
  it.each([
    [-1, 0.1],
    [0, 0.1],
    [0.1 + 0.2, 0.3],
    [0.74, 0.7],
    [0.76, 0.8],
    [1.2, 1],
  ])('a temperature goes from 0.1 to 1 in steps of 0.1: %d', (value, temperature) => {
    expect(boundTemperature(value)).toBe(temperature)
  })

  it.each([
    [0, {}],
    [1, { max_tokens: 1 }],
  ])('a limit of %d tokens, where 0 means no limit', (maxTokens, sent) => {
    const { messages, stream, stream_options, model, temperature, ...rest } = requestBody([], {
      model: 'm',
      temperature: 1,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      maxTokens,
    })
    expect(rest).toEqual(sent)
  })

  it('sends top p and penalties only where they are set, within the bounds of the dialect', () => {
    const set = {
      topP: boundFine('topP', 0.333),
      frequencyPenalty: boundFine('frequencyPenalty', -3),
      presencePenalty: 0.7,
    }
    expect(requestBody([], { model: 'm', temperature: 1, maxTokens: 0, ...set })).toMatchObject({
      top_p: 0.35,
      frequency_penalty: -2,
      presence_penalty: 0.7,
    })
    expect(boundFine('presencePenalty', 0.1 + 0.2)).toBe(0.3)
  })

  it('begins with the own group among several, the usual model and the usual prompt', () => {
    expect(playSettings(choices, {}, usual)).toEqual({
      group: 'vip',
      model: 'gpt-4o-mini',
      temperature: 0.1,
      topP: 1,
      frequencyPenalty: 0,
      presencePenalty: 0,
      maxTokens: 0,
      system: 'Be helpful.',
    })
    expect(playSettings(choices, {}, { ...usual, own: 'elsewhere' })).toMatchObject({ group: 'default' })
  })

  it('keeps the selection, unless it is no longer offered', () => {
    const chosen = { group: 'team', model: 'a-model', system: '' }
    expect(playSettings(choices, chosen, usual)).toMatchObject(chosen)
    const gone = { group: 'gone', model: 'gone' }
    expect(playSettings(choices, gone, usual)).toMatchObject({ group: 'vip', model: 'gpt-4o-mini' })
  })
})
