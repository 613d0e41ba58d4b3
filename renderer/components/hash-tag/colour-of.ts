/** The fifteen tag colours; the order defines the mapping (docs/reference/screens.md#formats-and-colors). */
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

/** Returns a text's colour: the sum of its character codes modulo 15, stable across sessions. */
export function colourOf(text: string): TagColour {
  let sum = 0
  for (let index = 0; index < text.length; index += 1) sum += text.charCodeAt(index)
  return colours[sum % colours.length] ?? 'grey'
}
