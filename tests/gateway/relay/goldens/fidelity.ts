import { type Format, formatLabels, formats } from '../../../../gateway/relay/formats/format.ts'
import { answerGoldens } from './answers/index.ts'
import { type Fate, fateOf, pairs, type Row } from './golden.ts'
import { requestGoldens } from './requests/index.ts'
import { streamGoldens } from './streams/index.ts'

type Sections = Readonly<Record<string, readonly Row[]>>

const symbols: Readonly<Record<Fate, string>> = {
  carried: '✓',
  nearest: '≈',
  told: '◐',
  refused: '✗',
  'left out': '○',
  absent: '—',
}

const letters: Readonly<Record<Format, string>> = { openai: 'C', responses: 'R', anthropic: 'A', gemini: 'G' }

/** Numbers of carried examples and of all examples. */
type Score = Readonly<{ kept: number; all: number }>

/** The page about the fidelity of conversion, generated from the goldens; the tests enforce them. */
export function fidelityPage(): string {
  const kinds: readonly (readonly [string, string, Sections])[] = [
    ['Requests', '`Told as` names what the header says.', requestGoldens],
    [
      'Non-streamed responses',
      '`Told as` names what the header and the log row say. Of a figure, ◐ marks that its target has no member for it.',
      answerGoldens,
    ],
    [
      'Streams',
      'The same event by event, told in the log row, since the head has gone out by then; every stream is also cut at every byte (tests/gateway/relay/goldens).',
      streamGoldens,
    ],
  ]
  return [
    ...introduction,
    ...scores(kinds),
    ...impossibilities(kinds),
    ...kinds.flatMap(([title, note, sections]) => [`## ${title}`, '', note, '', ...table(sections)]),
  ]
    .join('\n')
    .concat('\n')
}

const introduction: readonly string[] = [
  '# What survives between dialects',
  '',
  'Switchyard takes a request in one dialect to a vendor that speaks another, and brings the answer back. This page says',
  'what becomes of each feature on the way. It is made from the examples the tests run (`tests/gateway/relay/goldens`):',
  'the same request, answer or stream written by hand in each dialect from the vendors’ public references, and what each',
  'of the twelve directions must make of it. `npm run fidelity` writes it again; a test fails when it is out of date.',
  '',
  'A request to a vendor of its own dialect is not converted: its bytes pass as they are.',
  '',
  '| | |',
  '|---|---|',
  '| ✓ | carried: it arrives in the target’s own form |',
  '| ≈ | carried in the nearest form the target has, such as an effort for a budget of tokens |',
  '| ◐ | told: something is left out, and the answer’s header `X-Switchyard-Dropped` says what |',
  '| ✗ | refused: without it the request would mean something else |',
  '| ○ | left out, as it means nothing to the target, such as another vendor’s sealed thoughts |',
  '| — | the source dialect has no word for it |',
  '',
  `${formats.map((format) => `**${letters[format]}** is ${formatLabels[format]}`).join(', ')}. Results also depend`,
  'on the model: the examples use current models, and say where they use others.',
  '',
]

/**
 * The share of features that a direction carries: of those that the target's dialect can express, and of all of the
 * source's dialect.
 */
function scores(kinds: readonly (readonly [string, string, Sections])[]): readonly string[] {
  const rows = kinds.map(([, , sections]) => Object.values(sections).flat())
  const all = rows.flat()
  const row = (name: string, way: readonly Way[]) => {
    const shared = rows.map((some) => share(scoreOf(some, way, isShared)))
    return `| ${name} | ${shared.join(' | ')} | ${share(scoreOf(all, way, isShared))} | ${share(scoreOf(all, way))} |`
  }
  return [
    '## Score',
    '',
    'How much is carried (✓, ≈): of what can be said in the target’s dialect, and, in the last column, of all that the',
    'source can say, much of which its target has no word for. ○ counts in neither.',
    '',
    `| Direction | ${kinds.map(([title]) => title).join(' | ')} | Together | Of all the source says |`,
    `|---|${kinds.map(() => '---:|').join('')}---:|---:|`,
    ...pairs.map((way) => row(`${formatLabels[way.from]} → ${formatLabels[way.to]}`, [way])),
    row('**All directions**', pairs),
    '',
  ]
}

type Way = (typeof pairs)[number]

/** Whether the target has a form of its own for a feature, or receives it anyway. */
const isShared = (row: Row, { pair, from, to }: Way): boolean =>
  (row.forms[to] !== null && row.outcomes?.[pair]?.impossible === undefined) ||
  ['carried', 'nearest'].includes(fateOf(row, from, to))

/** Features that are reported or refused although the target has a form for them, with the reason. */
function impossibilities(kinds: readonly (readonly [string, string, Sections])[]): readonly string[] {
  const rows = kinds.flatMap(([, , sections]) => Object.values(sections).flat())
  const said = rows.flatMap(({ feature, outcomes = {} }) => {
    const ways = pairs.filter(({ pair }) => outcomes[pair]?.impossible !== undefined)
    const reasons = Map.groupBy(ways, ({ pair }) => outcomes[pair]?.impossible ?? '')
    return [...reasons].map(([reason, of]) => {
      const where =
        of.length === pairs.length ? 'all' : of.map(({ from, to }) => `${letters[from]}→${letters[to]}`).join(', ')
      return `| ${feature} | ${where} | ${reason} |`
    })
  })
  return [
    '## Not convertible',
    '',
    'The target has a form for such things, and cannot be told this one; it counts as what the target has no word for.',
    '',
    '| Feature | Directions | Why |',
    '|---|---|---|',
    ...said,
    '',
  ]
}

function scoreOf(rows: readonly Row[], ways: readonly Way[], counts: typeof isShared = () => true): Score {
  const fates = ways.flatMap((way) =>
    rows.filter((row) => counts(row, way)).map((row) => fateOf(row, way.from, way.to)),
  )
  const told = fates.filter((fate) => fate !== 'absent' && fate !== 'left out')
  return { kept: told.filter((fate) => fate === 'carried' || fate === 'nearest').length, all: told.length }
}

const share = ({ kept, all }: Score): string => `${kept}/${all} (${Math.round((100 * kept) / all)} %)`

/** A row per feature, a column per direction. */
function table(sections: Sections): readonly string[] {
  const heads = pairs.map(({ from, to }) => `${letters[from]}→${letters[to]}`)
  const rows = Object.entries(sections).flatMap(([section, goldens]) => [
    `| **${section}** |${' |'.repeat(pairs.length + 1)}`,
    ...goldens.map((golden) => {
      const cells = pairs.map(({ from, to }) => symbols[fateOf(golden, from, to)])
      return `| ${[golden.feature, ...cells, namesOf(golden)].join(' | ')} |`
    }),
  ])
  return [`| Feature | ${heads.join(' | ')} | Told as |`, `|---|${':---:|'.repeat(pairs.length)}---|`, ...rows, '']
}

/** The names under which parts of a feature are reported, by dialect. */
function namesOf({ outcomes = {} }: Row): string {
  const names = Object.values(outcomes).flatMap((outcome) => outcome.reported ?? [])
  return [...new Set(names)].map((name) => `\`${name}\``).join(', ')
}
