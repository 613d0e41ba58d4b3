import { expect, it } from 'vitest'
import { flawOfUsername } from '../../shared/username.ts'

it.each([
  'ann',
  'Ann Lee',
  '安娜',
  'a_b-c.d',
  '😀'.repeat(12),
  'é',
  'Ngân',
  'анна',
  'Άννα',
  'ann安娜',
  'annアン',
  'ann한',
])('%j may be the name of an account', (name) => {
  expect(flawOfUsername(name)).toBeUndefined()
})

it.each(['x'.repeat(13), '😀'.repeat(13)])('%j is too long', (name) => {
  expect(flawOfUsername(name)).toBe('setup.user_len')
})

// A mail address; zero width, direction, unusual spaces, the blank Braille pattern, unassigned characters, decomposed
// letters; joiners and selectors too, which are valid in other texts.
it.each([
  ...['a@b', 'a\u200bb', 'a\u202eb', 'a\u00a0b', 'a\u3000b', '\u2800', 'a\u2028', 'a\nb', '\ue000', 'e\u0301'],
  ...['❤\ufe0f', 'می\u200cخواهم', '1\ufe0f'],
  // Lookalikes of root: an object replacement or a null notehead appended, full-width and mathematical letters, a line
  // below, Cyrillic and Greek letters.
  ...['root\ufffc', 'root\u{1d159}', 'ｒｏｏｔ', '𝐫𝐨𝐨𝐭', 'roo\u0332t', 'root\u0332', 'r\u043eot', 'ro\u03bft', 'ﬁn'],
])('%j could pass for something else', (name) => {
  expect(flawOfUsername(name)).toBe('setup.user_chars')
})
