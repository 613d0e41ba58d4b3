import { describe, expect, it } from 'vitest'
import { refuse } from '../../../../gateway/base/errors.ts'
import type { Codecs } from '../../../../gateway/relay/formats/codecs.ts'
import type { Call } from '../../../../gateway/relay/model/call.ts'
import { measured, promptOf, promptSize } from '../../../../gateway/relay/tokenizer/prompt-size.ts'

// All that the size of a prompt depends on in a call and a codec.
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

describe('a prompt that is needed several times', () => {
  const conversation = {
    turns: [{ role: 'user', parts: [{ type: 'text', text: 'some words' }] }],
    tools: [],
    output: undefined,
  }
  const counting = () => {
    let count = 0
    const decodeRequest = () => {
      count += 1
      return conversation
    }
    const deps = { codecs: { openai: { decodeRequest } } as unknown as Codecs, imageSize: () => 0 }
    return { deps, count: () => count }
  }
  const long = { ...call, bytes: Buffer.alloc(100_000) } as unknown as Call

  it('is measured once, but again for another model or another body', async () => {
    const { deps, count } = counting()
    await measured(deps, long)
    const tokens = promptSize(deps, long)
    expect([promptSize(deps, { ...long, stream: true }), measured(deps, long), count()]).toEqual([tokens, undefined, 1])
    promptSize(deps, { ...long, model: 'claude' })
    promptSize(deps, { ...long, json: {} })
    expect(count()).toBe(3)
  })

  it('is measured at once if it is short', () => {
    const { deps, count } = counting()
    expect([measured(deps, { ...(call as unknown as Call), json: {} }), count()]).toEqual([undefined, 0])
  })
})
