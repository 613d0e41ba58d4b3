import type { DiffLine } from '../../shared/connect/connect-protocol.ts'

/** Lines of context around a change. */
const AROUND = 3

const GAP: DiffLine = { kind: 'kept', text: '⋯' }

/** A line diff with context around each change. */
export function diffOf(before: string, after: string): readonly DiffLine[] {
  const all = aligned(linesOf(before), linesOf(after))
  const isNear = all.map((_, at) =>
    all.slice(Math.max(0, at - AROUND), at + AROUND + 1).some(({ kind }) => kind !== 'kept'),
  )
  return all.flatMap((line, at) => {
    if (isNear[at]) return [line]
    return isNear[at - 1] && isNear.indexOf(true, at) > 0 ? [GAP] : []
  })
}

const linesOf = (text: string): string[] => {
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''))
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/**
 * Computes the longest common subsequence between an equal beginning and an equal end; if that part is very large, all
 * of it is shown as removed and added.
 */
function aligned(before: readonly string[], after: readonly string[]): DiffLine[] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head += 1
  let tail = 0
  while (
    tail < before.length - head &&
    tail < after.length - head &&
    before[before.length - 1 - tail] === after[after.length - 1 - tail]
  )
    tail += 1
  const taken = before.slice(head, before.length - tail)
  const added = after.slice(head, after.length - tail)
  const context = (text: string): DiffLine => ({ kind: 'kept', text })
  return [
    ...before.slice(0, head).map(context),
    ...(taken.length * added.length > MAX_TABLE_CELLS ? changed(taken, added) : common(taken, added)),
    ...before.slice(before.length - tail).map(context),
  ]
}

const MAX_TABLE_CELLS = 1_000_000

const changed = (taken: readonly string[], added: readonly string[]): DiffLine[] => [
  ...taken.map((text): DiffLine => ({ kind: 'taken', text })),
  ...added.map((text): DiffLine => ({ kind: 'added', text })),
]

function common(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = before.map(() => new Uint32Array(after.length + 1)).concat(new Uint32Array(after.length + 1))
  const length = (i: number, j: number) => lengths[i]?.[j] ?? 0
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1) {
      const row = lengths[i]
      if (row) row[j] = before[i] === after[j] ? length(i + 1, j + 1) + 1 : Math.max(length(i + 1, j), length(i, j + 1))
    }
  const lines: DiffLine[] = []
  let [i, j] = [0, 0]
  while (i < before.length || j < after.length) {
    const [one = '', other = ''] = [before[i], after[j]]
    if (i < before.length && j < after.length && one === other) {
      lines.push({ kind: 'kept', text: one })
      i += 1
      j += 1
    } else if (j >= after.length || (i < before.length && length(i + 1, j) >= length(i, j + 1))) {
      lines.push({ kind: 'taken', text: one })
      i += 1
    } else {
      lines.push({ kind: 'added', text: other })
      j += 1
    }
  }
  return lines
}
