import fastCheck from 'fast-check'
import { expect, it } from 'vitest'
import { plainJson } from '../../../../gateway/relay/tokenizer/plain-json.ts'

it('is JSON where no text has anything to escape', () => {
  const word = fastCheck.stringMatching(/^[a-z ]*$/)
  const { tree } = fastCheck.letrec((tie) => ({
    tree: fastCheck.oneof(
      word,
      fastCheck.integer(),
      fastCheck.boolean(),
      fastCheck.constant(null),
      tie('list'),
      tie('map'),
    ),
    list: fastCheck.array(tie('tree'), { maxLength: 3 }),
    map: fastCheck.dictionary(word, tie('tree'), { maxKeys: 3 }),
  }))
  fastCheck.assert(
    fastCheck.property(tree, (value) => {
      expect(plainJson(value)).toBe(JSON.stringify(value))
    }),
  )
})

it('leaves every text unchanged', () => {
  expect(plainJson({ name: ['a "word"\n', '\ud800'] })).toBe('{"name":["a "word"\n","\ud800"]}')
})
