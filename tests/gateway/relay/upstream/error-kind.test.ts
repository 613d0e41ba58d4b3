import { describe, expect, it } from 'vitest'
import type { ErrorKind } from '../../../../gateway/relay/upstream/error-kind.ts'
import { retryDelayIn } from '../../../../gateway/relay/upstream/retry-delay.ts'
import { errorInAnswer, readError, UpstreamError } from '../../../../gateway/relay/upstream/upstream-error.ts'

type Row = readonly [vendor: string, status: number, body: object, kind: ErrorKind | undefined, code: string]
const google = (code: number, status: string, message: string) => ({ error: { code, status, message } })

const rows: readonly Row[] = [
  [
    'OpenAI',
    429,
    { error: { code: 'insufficient_quota', type: 'insufficient_quota', message: 'You exceeded your current quota' } },
    'quota',
    'insufficient_quota',
  ],
  [
    'OpenAI',
    429,
    { error: { code: 'rate_limit_exceeded', type: 'tokens', message: 'Rate limit reached' } },
    'limited',
    'rate_limit_exceeded',
  ],
  [
    'OpenAI',
    503,
    { error: { code: 'slow_down', type: 'server_error', message: 'Slow down' } },
    'overloaded',
    'slow_down',
  ],
  [
    'OpenAI',
    400,
    { error: { code: 'context_length_exceeded', message: 'too long' } },
    'context',
    'context_length_exceeded',
  ],
  ['Anthropic', 529, { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 'overloaded', ''],
  ['Anthropic', 429, { type: 'error', error: { type: 'rate_limit_error', message: 'slower' } }, 'limited', ''],
  ['Anthropic', 402, { type: 'error', error: { type: 'billing_error', message: 'pay' } }, 'quota', ''],
  [
    'Anthropic',
    400,
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'Your credit balance is too low to access the Anthropic API.' },
    },
    'quota',
    '',
  ],
  [
    'Anthropic',
    413,
    { error: { type: 'request_too_large', message: 'Request exceeds the maximum size' } },
    'context',
    '',
  ],
  [
    'Anthropic',
    400,
    { error: { type: 'invalid_request_error', message: 'max_tokens: must be at least 1' } },
    undefined,
    '',
  ],
  ['Google', 429, google(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted'), 'limited', 'RESOURCE_EXHAUSTED'],
  [
    'Google',
    429,
    google(429, 'RESOURCE_EXHAUSTED', 'Your prepayment credits are depleted.'),
    'quota',
    'RESOURCE_EXHAUSTED',
  ],
  ['Google', 503, google(503, 'UNAVAILABLE', 'The model is overloaded.'), 'overloaded', 'UNAVAILABLE'],
  [
    'Google',
    400,
    google(400, 'INVALID_ARGUMENT', 'The input token count (5) exceeds the maximum number of tokens allowed (4).'),
    'context',
    'INVALID_ARGUMENT',
  ],
  [
    'DeepSeek',
    402,
    { error: { message: 'Insufficient Balance', type: 'unknown_error', code: 'invalid_request_error' } },
    'quota',
    'invalid_request_error',
  ],
  ['Moonshot', 429, { error: { type: 'exceeded_current_quota_error', message: 'suspended' } }, 'quota', ''],
  ['Moonshot', 429, { error: { type: 'engine_overloaded_error', message: 'busy' } }, 'overloaded', ''],
  [
    'Alibaba',
    400,
    { code: 'Arrearage', message: 'Access denied, your account is not in good standing' },
    'quota',
    'Arrearage',
  ],
  ['Zhipu', 429, { error: { code: '1113', message: '余额不足' } }, 'quota', '1113'],
  ['Zhipu', 400, { error: { code: '1261', message: 'Prompt 超长' } }, 'context', '1261'],
  [
    'Groq',
    413,
    {
      error: {
        type: 'tokens',
        code: 'rate_limit_exceeded',
        message: 'Request too large for model on tokens per minute (TPM)',
      },
    },
    'limited',
    'rate_limit_exceeded',
  ],
  ['OpenRouter', 402, { error: { code: 402, message: 'Insufficient credits' } }, 'quota', '402'],
  ['anybody', 401, { error: { message: 'prompt is too long', type: 'authentication_error' } }, undefined, ''],
  ['anybody', 500, { error: { message: 'boom', code: 'y' } }, undefined, 'y'],
]

describe('the kind of a vendor’s error (docs/reference/errors.md#kinds)', () => {
  it.each(rows)('%s %i %j is %s', (_, status, body, kind, code) => {
    const error = readError(status, JSON.stringify(body))
    expect([error.kind, error.code]).toEqual([kind, code])
  })

  it.each([
    [{ error: { code: 429, message: 'slower' } }, 429],
    [{ error: { code: 503, status: 'UNAVAILABLE', message: 'busy' } }, 503],
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }, 503],
    [{ error: { code: 529, message: 'Overloaded' } }, 529],
    [{ error: { code: 'rate_limit_exceeded', message: 'slower' } }, 429],
    [{ error: { code: 'insufficient_quota', message: 'none' } }, 429],
    [{ error: { code: 402, message: 'Insufficient credits' } }, 402],
    [{ error: { code: 'context_length_exceeded', message: 'long' } }, 400],
    [{ error: { code: 401, message: 'no' } }, 502],
    [{ error: { message: 'no', type: 'bad' } }, 502],
  ])('decides the status of an error in a good answer: %j is %i', (answer, status) => {
    expect(errorInAnswer(answer)?.status).toBe(status)
  })
})

describe('the time to wait in Google’s errors (docs/reference/errors.md#upstream-errors)', () => {
  const info = (retryDelay: unknown) => ({
    details: [
      { '@type': 'type.googleapis.com/google.rpc.Help' },
      { '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay },
    ],
  })

  it.each([
    ['7s', '7'],
    ['34.074824224s', '35'],
    ['0.5s', '1'],
    ['0s', '1'],
    ['1500ms', '2'],
  ])('%s becomes Retry-After %s', (delay, seconds) => {
    expect(retryDelayIn(info(delay))).toBe(seconds)
    const error = { code: 429, status: 'RESOURCE_EXHAUSTED', message: 'slower', ...info(delay) }
    expect(readError(429, JSON.stringify([{ error }])).retryAfter).toBe(seconds)
  })

  it('is absent where none is given, and a header is preferred', () => {
    for (const said of [info('soon'), info(7), info('-3s'), { details: 'x' }, {}, null, 'x'])
      expect(retryDelayIn(said)).toBeUndefined()
    expect(readError(429, JSON.stringify({ error: { message: 'slower', ...info('7s') } }), '3').retryAfter).toBe('3')
  })
})

it('a status beyond those of HTTP is shown as 502', () => {
  expect([599, 600, 999].map((status) => new UpstreamError(status, 'x').status)).toEqual([599, 502, 502])
})
