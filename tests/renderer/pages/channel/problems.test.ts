import { describe, expect, it } from 'vitest'
import { type Draft, draftOf } from '../../../../renderer/pages/channel/editor/draft.ts'
import { problemsOf } from '../../../../renderer/pages/channel/editor/problems.ts'
import { channelTypes } from '../../../../shared/channel-types.ts'

const fresh: Draft = { ...draftOf(undefined), name: 'one', models: ['gpt-4o'] }
const plain = { ...fresh, baseUrl: 'http://10.0.0.9:8000' }
const override = '{"headers":{"x-key":"••••"}}'

it.each([
  ['weight', '-1', 'option.bad_number'],
  ['weight', '0', undefined],
  ['weight', '1.5', 'option.bad_number'],
  ['priority', '-1', undefined],
  ['priority', 'high', 'option.bad_number'],
] as const)('an invalid %s of %s is reported at its field', (field, typed, problem) => {
  expect(problemsOf({ ...fresh, key: 'sk-one', [field]: typed }, undefined)[field]).toBe(problem)
})

describe('a stored key, as the form is written', () => {
  it.each<[string, Draft, Partial<Draft>, string | undefined]>([
    ['another host', fresh, { baseUrl: 'https://elsewhere.example' }, 'channel.key_again'],
    ['a first proxy on the way to a plain address', plain, { proxy: 'http://p:1' }, 'channel.proxy_key_again'],
    [
      'one of the same host, typed in the settings',
      plain,
      { setting: '{"proxy":"http://p:1"}' },
      'channel.proxy_key_again',
    ],
    ['another proxy there', { ...plain, proxy: 'http://p:1' }, { proxy: 'http://q:1' }, 'channel.proxy_key_again'],
    [
      'another user of the same proxy',
      { ...plain, proxy: 'http://a:••••@p:1' },
      { proxy: 'http://b:c@p:1' },
      undefined,
    ],
    ['no proxy any more', { ...plain, proxy: 'http://p:1' }, { proxy: '' }, undefined],
    ['a proxy on the way to an encrypted address', fresh, { proxy: 'http://p:1' }, undefined],
    ['a proxy with the key given again', plain, { proxy: 'http://p:1', key: 'sk-again' }, undefined],
    [
      'a vendor whose own address is plain',
      { ...fresh, type: channelTypes.ollama.id },
      { proxy: 'socks5://p:1' },
      'channel.proxy_key_again',
    ],
  ])('is required again, at its field, where necessary: %s', (_, stored, change, problem) => {
    expect(problemsOf({ ...stored, ...change }, stored).key).toBe(problem)
  })

  it('is followed by the saved secrets that travel with it', () => {
    const stored = { ...plain, paramOverride: override }
    const overheard = problemsOf({ ...stored, key: 'sk-again', proxy: 'http://p:1' }, stored)
    expect(overheard).toEqual({ paramOverride: 'channel.overrideOverheard' })
    const moved = problemsOf({ ...stored, key: 'sk-again', baseUrl: 'http://10.0.0.8' }, stored)
    expect(moved).toEqual({ paramOverride: 'channel.overrideAgain' })
    expect(problemsOf({ ...stored, name: 'two' }, stored)).toEqual({})
  })
})
