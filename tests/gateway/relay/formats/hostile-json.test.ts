import { describe, expect, it } from 'vitest'
import type { Format } from '../../../../gateway/relay/formats/format.ts'
import { pairs } from '../goldens/golden.ts'
import {
  answerGiven,
  answerOf,
  called,
  carried,
  hostile,
  lettersOf,
  oddlyWritten,
  requestAsked,
  requestOf,
  streamed,
  streamGiven,
  streamOf,
} from './hostile-json.ts'

const objects = hostile.map((value) => `{"value":${value},"other":true}`)
const written = oddlyWritten.map((value) => `{"value":${value},"other":true}`)
/** Dialects in which the arguments of calls are text. */
const asText: readonly Format[] = ['openai', 'responses']
const schemaOf = (value: string) =>
  `{"type":"object","properties":{"n":{"type":"integer","minimum":-9223372036854775808,"maximum":18446744073709551615,"default":9007199254740993,"enum":[9007199254740993,1]},"o":{"default":${value}}}}`

describe.each(pairs)('JSON that parsers change, $pair (docs/reference/conversion.md#embedded-json)', ({ from, to }) => {
  it('is unchanged in requests: arguments, results, schemas', () => {
    for (const json of objects) {
      const text = requestAsked(requestOf[from]({ arguments: json, result: json, schema: schemaOf(json) }), from, to)
      const letters = lettersOf(json)
      expect(carried[to](text)).toMatchObject({ arguments: letters, result: letters })
      expect(carried[to](text).schema).toContain('"maximum":"number 18446744073709551615"')
      expect(carried[to](text).schema).toContain('"minimum":"number -9223372036854775808"')
      expect(carried[to](text).schema).toContain('"enum":["number 9007199254740993","number 1"]')
      expect(carried[to](text).schema).toContain(`"default":${letters}`)
    }
  })

  it('is unchanged in answers, complete and streamed', () => {
    for (const json of objects) {
      expect(called[to](answerGiven(answerOf[from](json), from, to))).toBe(lettersOf(json))
      expect(streamed[to](streamGiven(streamOf[from](json), from, to))).toBe(lettersOf(json))
    }
  })

  if (asText.includes(from))
    it('preserves the digits of numbers where a call’s arguments are a text', () => {
      for (const json of written) {
        const text = requestAsked(
          requestOf[from]({ arguments: json, result: json, schema: '{"type":"object"}' }),
          from,
          to,
        )
        expect(carried[to](text)).toMatchObject({ arguments: lettersOf(json), result: lettersOf(json) })
        expect(called[to](answerGiven(answerOf[from](json), from, to))).toBe(lettersOf(json))
        expect(streamed[to](streamGiven(streamOf[from](json), from, to))).toBe(lettersOf(json))
      }
    })
})
