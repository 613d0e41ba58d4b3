/**
 * The fifteen colours of tags, in the order that the sum of a text's characters counts in
 * (docs/reference/screens.md#formats-and-colours).
 */
const colours = [
  'amber',
  'blue',
  'cyan',
  'green',
  'grey',
  'indigo',
  'light-blue',
  'lime',
  'orange',
  'pink',
  'purple',
  'red',
  'teal',
  'violet',
  'yellow',
] as const
export type TagColour = (typeof colours)[number]

/** The colour that belongs to a text: the sum of its character codes modulo 15, the same in every place and session. */
export function colourOf(text: string): TagColour {
  let sum = 0
  for (let place = 0; place < text.length; place += 1) sum += text.charCodeAt(place)
  return colours[sum % colours.length] ?? 'grey'
}
