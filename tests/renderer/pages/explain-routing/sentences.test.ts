import { describe, expect, it } from 'vitest'
import { explainPath } from '../../../../renderer/components/explain-path.ts'
import { en } from '../../../../renderer/messages/en.ts'
import { queryIn } from '../../../../renderer/pages/explain-routing/explain-query.ts'
import { percent } from '../../../../renderer/pages/explain-routing/percent.ts'
import { sentencesOf } from '../../../../renderer/pages/explain-routing/sentences.ts'
import type { Translate } from '../../../../renderer/translation.ts'
import type { ExplainedChannel, RoutingExplanation } from '../../../../shared/api/routing.ts'
import { withPlurals } from '../../../../shared/messages/plural.ts'

/** Fills values into the English texts, as i18next does. */
const t = ((key: keyof typeof en, values: Record<string, string | number> = {}) =>
  withPlurals(en[key], 'en', values).replace(/\{(\w+)\}/g, (_, name: string) =>
    String(values[name]),
  )) as unknown as Translate

const channel = (name: string, part: Partial<ExplainedChannel> = {}): ExplainedChannel => ({
  channel_id: 1,
  name,
  type: 1,
  priority: 0,
  weight: 0,
  share: 1,
  chance: 10,
  chances: 10,
  verdict: 'eligible',
  cooldown: null,
  upstream_model: 'm',
  keys_usable: 1,
  keys: 1,
  ...part,
})

function sentence(tries: number, ...channels: ExplainedChannel[]): string {
  const explanation: RoutingExplanation = {
    group: 'vip',
    model: 'm',
    refusal: '',
    refusal_code: '',
    tries,
    channels,
    off: [],
  }
  return sentencesOf(explanation, { t, locale: 'en' }).join(' ')
}

describe('the plain words of "Routing explorer"', () => {
  const peers = [channel('A', { priority: 9, share: 0.625 }), channel('B', { priority: 9, share: 0.375 })] as const

  it('names the only one, and that no other would be tried', () => {
    const only = 'A request for m in the group vip would use “A”. It would not be retried on another channel.'
    expect(sentence(3, channel('A'))).toBe(only)
    expect(sentence(1, channel('A'), channel('B', { priority: -1 }))).toBe(only)
  })

  it('names those of the highest priority with their shares, then as many lower ones as would be tried', () => {
    const first = 'A request for m in the group vip would first use “A” (62.5%) or “B” (37.5%).'
    const others = 'If that fails, it would continue with the rest of these channels'
    expect(sentence(1, ...peers, channel('C'))).toBe(`${first} It would not be retried on another channel.`)
    expect(sentence(2, ...peers, channel('C'))).toBe(
      `${first} ${others}. It would be retried on at most 1 other channel.`,
    )
    expect(sentence(9, ...peers, channel('C'))).toBe(
      `${first} ${others}, then “C”. It would be retried on at most 2 other channels.`,
    )
  })

  it('leaves out channels that are not used, and lists a few of many', () => {
    const many = ['B', 'C', 'D', 'E', 'F'].map((name) => channel(name, { priority: -1 }))
    expect(sentence(9, channel('X', { verdict: 'limited' }), channel('A'), ...many)).toContain(
      'would use “A”. If that fails, it would continue with “B”, “C”, “D”, and 2 more.',
    )
  })

  it('states that the failing ones are used where no other is left', () => {
    expect(sentence(1, channel('A', { verdict: 'cooldown', share: 0 }), channel('B', { verdict: 'limited' }))).toBe(
      'All suitable channels are cooling down. A request for m in the group vip would still use “A”.',
    )
  })
})

it('shows whole percents where they are whole, and never nothing for something', () => {
  expect([1, 0.5, 0.625, 1 / 3, 0.0001, 0].map(percent)).toEqual(['100%', '50%', '62.5%', '33.3%', '<0.1%', '0%'])
})

it('reads a query back from its address; unreadable parts are left out', () => {
  const query = {
    model: 'a/b c',
    group: 'auto',
    tokenId: 7,
    tokenName: 'laptop',
    endpoint: 'messages',
    promptTokens: 9000,
  } as const
  const address = explainPath(query)
  expect(queryIn(new URLSearchParams(address.slice(address.indexOf('?'))))).toEqual(query)
  expect(queryIn(new URLSearchParams('model=m&token_id=x&endpoint=toString&prompt_tokens=-1'))).toEqual({
    model: 'm',
    group: '',
    tokenId: 0,
    tokenName: '',
    endpoint: 'chat',
    promptTokens: 0,
  })
})
