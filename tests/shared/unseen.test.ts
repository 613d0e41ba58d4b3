import { expect, it } from 'vitest'
import { hasUnseen, withoutUnseen } from '../../shared/unseen.ts'

const FAMILY = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}'

it.each([
  ...['Ann', '安娜', 'قناة', 'عربي 123', '한국어', '❤️', '☎️ 1', '🏳️‍🌈', FAMILY, '👍🏽', '1️⃣', '#️⃣', '☎\ufe0e', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', ''],
  // Persian, Hindi and Malayalam spelling requires joiners.
  ...['می\u200cخواهم', 'क्\u200dष', 'ക്\u200d'.slice(0, 2), 'നന്\u200dമ'],
])('%j hides nothing', (text) => {
  expect(hasUnseen(text)).toBe(false)
  expect(withoutUnseen(text)).toBe(text)
})

it.each([
  // Zero width, joiners without letters to join, soft hyphen, byte order mark, Mongolian vowel separator.
  ...['a\u200bb', 'a\u200db', '\u200c', 'a\u00adb', '\ufeffa', 'a\u2060', '\u180e'],
  // Direction marks, Hangul fillers, tags, variation selectors, line separators, the blank Braille pattern.
  ...['a\u200e', '\u200fa', '\u061c', 'a\u202e', '\u2066a', '\u3164', '\uffa0', '\u115f', 'a\u{e0041}', 'a\ufe0f'],
  // A digit is an emoji only as a complete keycap sequence.
  ...['1\ufe0f', 'a2\ufe0fb', '#\ufe0f', '*\ufe0e'],
  ...['a\u{e0100}', 'a\u2028b', '\u2800', 'a\ufff9', 'a\ufffc', 'a\u{1d159}'],
])('%j hides something', (text) => {
  expect(hasUnseen(text)).toBe(true)
  expect(hasUnseen(withoutUnseen(text))).toBe(false)
})
