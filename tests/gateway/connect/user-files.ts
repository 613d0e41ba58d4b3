import fc from 'fast-check'

/** Random choices from a fast-check seed, so that a failing file can be reproduced. */
export function drawing(seed: number) {
  let state = seed >>> 0
  const fraction = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (count: number) => Math.floor(fraction() * count)
  const oneOf = <T>(...choices: readonly [T, ...T[]]): T => choices[below(choices.length)] ?? choices[0]
  return { below, oneOf, chance: (share: number) => fraction() < share }
}
export type Drawing = ReturnType<typeof drawing>

/** Words for files: other scripts, syntax-like text, and names that programs use. */
const words = [
  'a',
  'plain',
  '密钥',
  'with space',
  '# no comment',
  '// neither',
  '{"x": [1]}',
  "it's",
  'C:\\dir',
  'é',
  'yes',
  '1e3',
  '- a',
  'a: b',
] as const
const names = [
  'alpha',
  'beta',
  'théta',
  'x-y',
  'under_score',
  'env',
  'provider',
  'models',
  'agent',
  'security',
  'language_models',
] as const
const word = ({ oneOf }: Drawing) => oneOf<string>(...words)
/** Numbered names, so that each is unique. */
const name = ({ oneOf }: Drawing, number: number) => `${oneOf<string>(...names)}${number}`

/** JSON as users write it: with comments, trailing commas, tabs, and several members on one line. */
export function aJsonFile(draw: Drawing): string {
  const { oneOf, chance, below } = draw
  const unit = oneOf('\t', '  ', '    ')
  const eol = oneOf('\n', '\n', '\r\n')
  let number = 0
  const comment = () => `${oneOf(`// note ${++number}`, `/* note ${++number} */`)}`
  const value = (depth: number, indent: string): string => {
    if (depth === 0 || chance(0.5))
      return oneOf(JSON.stringify(word(draw)), String(below(1000) / 8), 'true', 'null', '{}', '[]', '{ }')
    const isTall = chance(0.8)
    const isList = chance(0.3)
    const count = below(4)
    const inner = indent + unit
    const members = Array.from({ length: count }, (_, at) => {
      const own = isList ? '' : `${JSON.stringify(name(draw, ++number))}${oneOf(': ', ' : ', ':')}`
      const comma = at < count - 1 || (isTall && chance(0.3)) ? ',' : ''
      const body = `${own}${value(depth - 1, inner)}${chance(0.1) ? ` /* in ${++number} */` : ''}${comma}`
      if (!isTall) return body
      const above = chance(0.2) ? `${eol}${inner}${comment()}` : ''
      return `${above}${eol}${inner}${body}${chance(0.25) ? ` ${comment()}` : ''}`
    })
    const last = isTall && chance(0.2) ? `${eol}${inner}// last ${++number}` : ''
    const [open, close] = isList ? '[]' : '{}'
    return isTall ? `${open}${members.join('')}${last}${eol}${indent}${close}` : `${open} ${members.join(' ')} ${close}`
  }
  let root = value(3, '')
  while (!root.startsWith('{')) root = value(3, '')
  const head = chance(0.3) ? `// head${eol}` : ''
  return `${oneOf('', '', '\uFEFF')}${head}${root}${oneOf('', eol, eol + eol)}`
}

/** TOML with tables of every kind, odd spacing and multi-line texts. */
export function aTomlFile(draw: Drawing): string {
  const { oneOf, chance, below } = draw
  const eol = oneOf('\n', '\n', '\r\n')
  let number = 0
  const value = (): string =>
    oneOf(
      JSON.stringify(word(draw)),
      `'lit # ${++number}'`,
      '42',
      'true',
      '1979-05-27T07:32:00Z',
      `[1,${chance(0.5) ? eol : ''} 2, # in${eol}]`,
      '{ a = 1, b.c = "x" }',
      `"""${eol}many [lines]${eol}# of it"""`,
    )
  const lines = (count: number) =>
    Array.from({ length: count }, () => {
      const key = oneOf(`k${++number}`, `"quoted ${++number}"`, `dotted${++number}.key`)
      const note = chance(0.3) ? ` # note ${++number}` : ''
      const above = oneOf('', '', `# over ${++number}${eol}`, eol)
      return `${above}${oneOf('', '', '  ')}${key} ${oneOf('=', '= ')}${value()}${note}`
    })
  const tables = Array.from({ length: below(4) }, () => {
    const own = `t${++number}`
    const head = oneOf(`[${own}]`, `[${own}.sub]`, `[[${own}]]`, `[ "${own} x" ] # head`, `[model_providers.${own}]`)
    return [...(chance(0.5) ? [''] : []), ...(chance(0.3) ? [`# about ${own}`] : []), head, ...lines(below(3))].join(
      eol,
    )
  })
  const all = [...lines(below(4)), ...tables].join(eol)
  return `${oneOf('', '', '\uFEFF')}${all}${all === '' ? '' : oneOf('', eol)}`
}

/** YAML with blocks, flows, quoted and folded texts, anchors and comments. */
export function aYamlFile(draw: Drawing): string {
  const { oneOf, chance, below } = draw
  const eol = oneOf('\n', '\n', '\r\n')
  let number = 0
  const note = () => (chance(0.25) ? ` # note ${++number}` : '')
  const flat = () =>
    oneOf(
      JSON.stringify(word(draw)),
      `'single ${++number}'`,
      '12',
      'true',
      '~',
      '{a: 1, b: [c]}',
      '[x, "y"]',
      'plain words',
    )
  const value = (depth: number, indent: string): string => {
    const kind = depth === 0 ? 0 : below(5)
    const inner = `${indent}  `
    if (kind <= 1) return ` ${flat()}${note()}${eol}`
    if (kind === 2)
      return ` ${oneOf('|', '>', '|-')}${eol}${inner}text ${++number}${eol}${eol}${inner}# no comment${eol}`
    if (kind === 3)
      return `${note()}${eol}${Array.from({ length: 1 + below(3) }, () => `${inner}${name(draw, ++number)}:${value(depth - 1, inner)}`).join('')}`
    const dash = oneOf(indent, inner)
    return `${note()}${eol}${Array.from({ length: 1 + below(3) }, () => `${dash}-${oneOf(` ${flat()}${eol}`, ` name: n${++number}${eol}${dash}  other: 1${note()}${eol}`)}`).join('')}`
  }
  const members = Array.from({ length: below(5) }, () => {
    const above = oneOf('', '', `# over ${++number}${eol}`, eol)
    return `${above}${name(draw, ++number)}:${value(2, '')}`
  })
  const all = `${members.length > 0 && chance(0.2) ? `---${eol}` : ''}${members.join('')}${chance(0.2) ? `# end${eol}` : ''}`
  return `${oneOf('', '', '\uFEFF')}${chance(0.3) ? all.replace(/\r?\n$/, '') : all}`
}

/** Variables, exported or not, with every quoting style, with comments and multi-line values. */
export function anEnvFile(draw: Drawing): string {
  const { oneOf, chance, below } = draw
  const eol = oneOf('\n', '\n', '\r\n')
  const lines = Array.from({ length: below(6) }, (_, at) =>
    oneOf(
      `V${at}=plain`,
      `export V${at}="quoted # no comment"`,
      `V${at}='single' # note`,
      `  V${at} = spaced`,
      `# comment ${at}`,
      '',
      `V${at}=`,
      `V${at}="two${eol}lines"`,
    ),
  )
  const all = lines.join(eol)
  return `${oneOf('', '', '\uFEFF')}${all}${all === '' || chance(0.3) ? '' : eol}`
}

export const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })
