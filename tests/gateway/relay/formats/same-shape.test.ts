import { describe, expect, it } from 'vitest'
import { createCodecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Format } from '../../../../gateway/relay/formats/format.ts'

const codecs = createCodecs(() => 'call_1')
const chunk = (delta: string, more = '') => `{"id":"x","choices":[{"index":0,"delta":${delta}}]${more}}`
const piece = (delta: string, padding = '', more = '') =>
  `{"type":"content_block_delta","index":0,"delta":${delta}${padding}${more}}`

/**
 * Payloads of a stream after one that teaches the decoder the shape. They resemble it; the last must be decoded as if
 * no shape were known.
 */
const streams: Readonly<Record<string, readonly [Format, ...string[]]>> = {
  'another text': ['openai', chunk('{"content":"a"}'), chunk('{"content":"b c"}')],
  'an empty text': ['openai', chunk('{"content":"a"}'), chunk('{"content":""}')],
  'a text with an escape': ['openai', chunk('{"content":"a"}'), chunk('{"content":"a\\"b"}')],
  'a text with an escape at its end': ['openai', chunk('{"content":"a"}'), chunk('{"content":"a\\\\"}')],
  'a text that closes the object itself': [
    'openai',
    chunk('{"content":"a"}'),
    chunk('{"content":"b","refusal":"no","content":"c"}'),
  ],
  'the same name elsewhere': [
    'openai',
    `{"note":{"content":"a"},"choices":[{"index":0,"delta":{"content":"a"}}]}`,
    `{"note":{"content":"b"},"choices":[{"index":0,"delta":{"content":"a"}}]}`,
  ],
  'the name in escapes': [
    'openai',
    `{"x":{"content":"a"},"choices":[{"index":0,"delta":{"c\\u006fntent":"a"}}]}`,
    `{"x":{"content":"b"},"choices":[{"index":0,"delta":{"c\\u006fntent":"a"}}]}`,
  ],
  'another choice': ['openai', chunk('{"content":"a"}'), `{"id":"x","choices":[{"index":1,"delta":{"content":"a"}}]}`],
  'usage behind it': ['openai', chunk('{"content":"a"}'), chunk('{"content":"a"}', ',"usage":{"prompt_tokens":1}')],
  'a thought': ['openai', chunk('{"reasoning_content":"a"}'), chunk('{"reasoning_content":"b"}')],
  'a text after thoughts': [
    'openai',
    chunk('{"content":null,"reasoning_content":"a"}'),
    chunk('{"content":"b","reasoning_content":null}'),
  ],
  'a control character': ['openai', chunk('{"content":"a"}'), chunk('{"content":"a\tb"}')],
  'a padded piece': [
    'anthropic',
    piece('{"type":"text_delta","text":"a"}', '  '),
    piece('{"type":"text_delta","text":"b  c"}', '       '),
  ],
  'a piece with more behind it': [
    'anthropic',
    piece('{"type":"text_delta","text":"a"}', '  '),
    piece('{"type":"text_delta","text":"b"}', '', ',"more":" x "'),
  ],
  'padding that is no white space': [
    'anthropic',
    piece('{"type":"text_delta","text":"a"}'),
    `${piece('{"type":"text_delta","text":"b"}')}\u00a0`,
  ],
  'a thought of a block': [
    'anthropic',
    piece('{"type":"thinking_delta","thinking":"a"}'),
    piece('{"type":"thinking_delta","thinking":"b"}', ' '),
  ],
}

describe('an event that differs from the previous one only in its text', () => {
  it.each(Object.entries(streams))('is read as if nothing was known: %s', (_, [format, ...payloads]) => {
    const knowing = codecs[format].decodeStream()
    const last = payloads.at(-1) ?? ''
    const seen = payloads.slice(0, -1).flatMap((payload) => knowing.payload(payload))
    const fresh = codecs[format].decodeStream()
    // The first payload of a new decoder also emits the start, which the other decoder has already emitted.
    const expected = fresh.payload(last).filter(({ type }) => type !== 'start')
    expect(seen.length).toBeGreaterThan(0)
    expect(knowing.payload(last)).toEqual(expected)
  })
})
