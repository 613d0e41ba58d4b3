import { randomInt } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { EventPieces } from '../../../../gateway/relay/content-filter/event-pieces.ts'
import { createWordList, type WordList } from '../../../../gateway/relay/content-filter/word-list.ts'

const listOf = (...words: string[]): WordList => createWordList(words) ?? expect.fail('there are words')
const madeOf = (letters: string, length: number) =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('')

/** The match that ends first, or the longest of several such; found by trying all words. */
function slowly(words: readonly string[], text: string): { word: string; end: number } | undefined {
  const lower = text.toLowerCase()
  for (let end = 1; end <= text.length; end += 1) {
    const ending = words.filter((word) => lower.slice(0, end).endsWith(word.toLowerCase()))
    const [word] = ending.sort((one, other) => other.length - one.length)
    if (word !== undefined) return { word: word.toLowerCase(), end }
  }
  return undefined
}

describe('the search for many words', () => {
  it('finds the same as trying all words, however the text is cut', () => {
    let words: string[] = []
    let list = listOf('a')
    for (let turn = 0; turn < 1000; turn += 1) {
      if (turn % 50 === 0) {
        words = Array.from({ length: randomInt(1, 6) }, () => madeOf('abA', randomInt(1, 6)))
        list = listOf(...words)
      }
      const text = madeOf('abcB', randomInt(0, 24))
      const cut = randomInt(0, text.length + 1)
      const reader = list.reader()
      const first = reader.read(text.slice(0, cut))
      const hit = first ?? reader.read(text.slice(cut))
      const end = hit && hit.end + (first ? 0 : cut)
      expect(hit && { word: hit.word.toLowerCase(), end }, `${words} in ${text} cut at ${cut}`).toEqual(
        slowly(words, text),
      )
    }
  })

  it('knows how much of the end may begin a word, and no more', () => {
    const reader = listOf('abcd', 'bcx').reader()
    const pending = [...'zabcabcyab'].map((letter) => {
      expect(reader.read(letter)).toBeUndefined()
      return reader.pending()
    })
    expect(pending).toEqual([0, 1, 2, 3, 1, 2, 3, 0, 1, 2])
  })

  it.each([
    ['STRASSE', 'Straße', false],
    ['Straße', 'STRAßE', true],
    ['ΟΔΟΣ', 'οδοσ', true],
    ['Привет', 'пРИВЕТ', true],
    ['i', 'İ', false],
    ['违禁', '这是违禁词', true],
    ['a.*b', 'a.*B', true],
    ['a.*b', 'axxb', false],
    ['😀x', 'see 😀X', true],
  ])('%s in %s: %s; literally, letter by letter, in any case', (word, text, isIn) => {
    expect(listOf(word).find(text)).toBe(isIn ? word : undefined)
  })

  it('is undefined without words', () => {
    expect(createWordList([])).toBeUndefined()
    expect(createWordList([''])).toBeUndefined()
  })
})

describe('the pieces of a stream of events', () => {
  const STREAM = ': hi\n\nevent: a\nid: 1\ndata: {"é":1}\n\r\ndata:two\r\n\r\nretry: 5\ndata: last'
  it('equal the stream, byte for byte, wherever it is cut; names stay with their data', () => {
    const bytes = Buffer.from(STREAM)
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      const reader = new EventPieces()
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)].flatMap((part) => reader.feed(part))
      pieces.push(...reader.end())
      expect(Buffer.concat(pieces.map(({ raw }) => raw)).equals(bytes)).toBe(true)
      expect(pieces.map(({ payload }) => payload).filter((payload) => payload !== undefined)).toEqual([
        '{"é":1}',
        'two',
        'last',
      ])
      expect(String(pieces.find(({ payload }) => payload === '{"é":1}')?.raw)).toMatch(/^event: a\nid: 1\ndata/)
    }
  })

  it('end where they are too long, and do not wait for data that never comes', () => {
    const reader = new EventPieces()
    const names = Buffer.alloc(100_000, 'event: x\n')
    expect(reader.feed(names)[0]?.raw.length).toBeGreaterThan(65_536)
    const endless = Buffer.alloc(8 * 1024 * 1024, 'x')
    expect(() => Array.from({ length: 8 }, () => reader.feed(endless))).toThrow('longer than 32 MiB')
  })
})
