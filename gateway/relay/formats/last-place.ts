/**
 * Where a text holds another for the last time; -1 where it does not. Unlike `lastIndexOf`, it takes time that grows with
 * the sum of their lengths and not with the product (Knuth, Morris and Pratt, "Fast Pattern Matching in Strings", 1977).
 */
export function lastPlaceOf(wanted: string, text: string): number {
  if (wanted === '' || wanted.length > text.length) return -1
  const borders = bordersOf(wanted)
  let matched = 0
  let found = -1
  for (let at = 0; at < text.length; at += 1) {
    matched = longer(wanted, borders, matched, text.charCodeAt(at))
    if (matched < wanted.length) continue
    found = at + 1 - matched
    matched = borders[matched - 1] ?? 0
  }
  return found
}

/** Of each beginning of a text: how much of its end is a shorter beginning. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length)
  for (let at = 1; at < wanted.length; at += 1)
    borders[at] = longer(wanted, borders, borders[at - 1] ?? 0, wanted.charCodeAt(at))
  return borders
}

/** How much is matched with one unit more. */
function longer(wanted: string, borders: Uint32Array, before: number, unit: number): number {
  let matched = before
  while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
  return wanted.charCodeAt(matched) === unit ? matched + 1 : 0
}
