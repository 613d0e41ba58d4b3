import { describe, expect, it } from 'vitest'
import { createTokenEstimator } from '../../../../gateway/relay/tokenizer/estimate.ts'
import { published, samples } from './exact.ts'

const errorOf = (text: string): number => {
  const estimator = createTokenEstimator('gpt-4o')
  estimator.add(text)
  return estimator.tokens() / published.o200k_base(text) - 1
}

const technical = {
  English:
    '## Backups\nStop the gateway, or run `npm start -- --backup <file>` while it is up: SQLite copies a consistent ' +
    'snapshot (WAL included). Keep `secret.key` beside it, since vendor keys are encrypted with AES-256-GCM and cannot ' +
    'be read otherwise. Restoring is the reverse: put both files into DATA_DIR, then start version 0.1.0 or later.',
  Chinese:
    '渠道设置（JSON）：例如 {"proxy": "socks5://127.0.0.1:1080", "force_format": true}。留空表示不使用代理；' +
    '修改后立即生效，无需重启。超时单位为秒，默认 120，范围 10~600。',
  code: samples.code,
} as const

describe('the estimator compared with the tokenizer', () => {
  it.each(Object.entries(technical))('is within 20 %% for technical %s', (_, text) => {
    expect(Math.abs(errorOf(text))).toBeLessThan(0.2)
  })

  it.each(Object.entries(samples))('guesses high rather than low, by 40 %% at most, for plain %s', (_, text) => {
    expect(errorOf(text)).toBeGreaterThan(0)
    expect(errorOf(text)).toBeLessThan(0.4)
  })
})

describe('millions of characters (docs/reference/tokens.md#token-estimator)', () => {
  const words = 'The quick brown fox jumps over 12 lazy dogs.\n'
  it.each([
    ['one text', 24, 1],
    ['texts of sixteen thousand', 24, 1500],
    ['texts of a hundred', 12, 120_000],
  ])('are looked at in part, and estimated as their beginnings: %s', (_, mebibytes, count) => {
    const one = words.repeat(Math.ceil((mebibytes * 1024 * 1024) / count / words.length))
    const exact = createTokenEstimator('gpt-4o')
    exact.add(words.repeat(1000))
    const estimator = createTokenEstimator('gpt-4o')
    const real = String.prototype.charCodeAt
    let looked = 0
    String.prototype.charCodeAt = function (this: string, at: number) {
      looked += 1
      return real.call(this, at)
    }
    let tokens = 0
    try {
      for (let n = 0; n < count; n += 1) estimator.add(one)
      tokens = estimator.tokens()
    } finally {
      String.prototype.charCodeAt = real
    }
    const expected = (exact.tokens() * one.length * count) / (words.length * 1000)
    expect(Math.abs(tokens / expected - 1)).toBeLessThan(0.05)
    expect(looked).toBeLessThan(2_000_000)
  })
})

it('the upper estimate has a token for every three bytes, also after the first million characters', () => {
  const estimator = createTokenEstimator('gpt-4o')
  estimator.add('世'.repeat(4_000_000))
  estimator.add('世'.repeat(4_000_000))
  expect(estimator.max()).toBe(8_000_000)
})

describe('text without spaces (docs/reference/tokens.md#token-estimator)', () => {
  it.each(['deepseek-chat', 'claude-sonnet-4-5', 'gemini-2.5-pro'])('costs as much as other text: %s', (model) => {
    for (const text of [
      'TheQuickBrownFox',
      '31415926',
      'สวัสดีชาวโลก',
      'Достопримечательности',
      'ὑπερκαλλὴς',
      'abcdefgh',
    ]) {
      const estimator = createTokenEstimator(model)
      // Adds the text in pieces, as in a stream.
      for (let piece = 0; piece < 1000; piece += 1) estimator.add(text)
      const letters = 1000 * text.length
      expect(estimator.tokens(), text).toBeGreaterThan(letters / 5)
      expect(estimator.tokens(), text).toBeLessThan(letters * 1.3)
    }
  })
})
