import { describe, expect, it } from 'vitest'
import { refuse } from '../../../../gateway/base/errors.ts'
import type { Codecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Call } from '../../../../gateway/relay/model/call.ts'
import { promptOf } from '../../../../gateway/relay/tokenizer/prompt-size.ts'

// The size of a prompt depends on nothing else of a call or a codec.
const call = {
  endpoint: 'chat',
  format: 'openai',
  model: 'm',
  stream: false,
  json: {},
  bytes: Buffer.from('all of it'),
}
const sizeWith = (error: Error) => {
  const decodeRequest = () => {
    throw error
  }
  const codecs = { openai: { decodeRequest } } as unknown as Codecs
  return promptOf({ codecs, imageSize: () => 0 }, call as unknown as Call)
}

describe('the size of a prompt', () => {
  it('is that of its text where the body is not a conversation', () => {
    expect(sizeWith(refuse('invalid', 'relay.badJson'))).toEqual({ texts: ['all of it'], extra: 0 })
  })

  it('hides no fault of our own', () => {
    expect(() => sizeWith(new TypeError('a fault'))).toThrow('a fault')
  })
})
