import type { DiffLine } from '../../shared/connect/desk.ts'
import { hidesSecret, MASK } from '../../shared/secret-mask.ts'

/** Lines as they may be shown: keys and whatever stands under the name of a secret are masked, ours and others'. */
export const shownLines = (lines: readonly DiffLine[], secrets: readonly string[]): readonly DiffLine[] =>
  lines.map(({ kind, text }) => ({ kind, text: shownLine(text, secrets) }))

/** `name: value` or `name = value`, with or without quotes, as each of the formats writes it. */
const NAMED = /^(\s*(?:-\s+|export\s+)?["']?([\w.-]+)["']?\s*[:=]\s*)(["']?)([^"'\s][^"']*?)(["']?,?\s*)$/
const KEY = /\b(?:sk|pk|key|ghp|xox[a-z])[-_][\w-]{8,}|\bAIza[\w-]{8,}/g

/** Several of those in one line, each with a text in quotes. */
const PAIRS = /(["']?)([\w.-]+)\1(\s*[:=]\s*)(["'])[^"']+\4/g

function shownLine(line: string, secrets: readonly string[]): string {
  const named = NAMED.exec(line)
  const [, head = '', name = '', open = '', , close = ''] = named ?? []
  if (named && hidesSecret(name)) return `${head}${open}${MASK}${close}`
  const bare = secrets.reduce((text, secret) => text.replaceAll(secret, MASK), line).replace(KEY, MASK)
  return bare.replace(PAIRS, (whole, quote: string, member: string, sign: string, mark: string) =>
    hidesSecret(member) ? `${quote}${member}${quote}${sign}${mark}${MASK}${mark}` : whole,
  )
}
