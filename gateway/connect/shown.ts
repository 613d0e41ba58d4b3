import type { DiffLine } from '../../shared/connect/desk.ts'
import { hidesSecret, MASK } from '../../shared/secret-mask.ts'

/** Lines as they may be shown: keys and whatever stands under the name of a secret are masked, ours and others'. */
export const shownLines = (lines: readonly DiffLine[], secrets: readonly string[]): readonly DiffLine[] =>
  lines.map(({ kind, text }) => ({ kind, text: shownLine(text, secrets) }))

/** A name before a list: in brackets, or of lines that begin with a dash. */
const LIST = /(["']?)(?<![\w.-])([\w.-]+)\1[ \t]*[:=][ \t]*(?:\[|(?:#[^\n]{0,500})?\r?\n(?=[ \t]*-[ \t]))/g
const IN_BRACKETS = /^(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*/
/** Lines of dashes, and what is deeper within them. */
const OF_DASHES = /^([ \t]*)-[^\n]*(?:\n(?:\1[ \t#-][^\n]*|[ \t]*))*/
const ITEM =
  /"((?:\\.|[^"\\]){1,9999})"(?!\s*[:=])|'([^']+)'(?!\s*[:=])|(?<=^|[\s,[{-])([^\s,[\]{}"'#:=-][^\s,[\]{}"'#]*)(?!\s*:\s)/g
/** What is shorter stands in too many places to be masked wherever it does. */
const MIN_LENGTH = 4

/** What stands in lists under the name of secrets in a whole text, for a line of a list does not say what it is one of. */
export function listedSecrets(text: string): string[] {
  let end = 0
  return [...text.matchAll(LIST)].flatMap(({ 0: head, 2: name = '', index }) => {
    if (!isSecretName(name) && !isSecretName(name.replace(/s$/i, ''))) return []
    const start = index + head.length
    // A list within a list has been read with it.
    if (start <= end) return []
    const [items = ''] = (head.endsWith('[') ? IN_BRACKETS : OF_DASHES).exec(text.slice(start)) ?? []
    end = start + items.length
    return [...items.matchAll(ITEM)]
      .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
      .filter(({ length }) => length >= MIN_LENGTH)
  })
}

/** `name: value` or `name = value`, with or without quotes, as each of the formats writes it. */
const NAMED = /^(\s*(?:-\s+|export\s+)?["']?([\w.-]+)["']?\s*[:=]\s*)(["']?)([^"'\s](?:[^"']*[^"'\s,])?)(["']?,?\s*)$/
const KEY = /\b(?:sk|pk|key|ghp|xox[a-z])[-_][\w-]{8,}|\bAIza[\w-]{8,}/g

/** A name and the beginning of its value, whatever follows (quotes within, a comment), unless it opens an object or a list. */
const BEGUN = /^(\s*(?:-\s+|export\s+)?["']?([\w.-]+)["']?\s*[:=]\s*)[^\s{[]/

/** Several of those in one line, each with a text in quotes. */
const PAIRS = /(["']?)(?<![\w.-])([\w.-]+)\1(\s*[:=]\s*)(["'])(?:(?!\4)[^\\]|\\.){1,9999}\4/g
/** Names and values without quotes, as YAML has them within a line. */
const BARE = /([{,]\s*)([\w.-]+)(:\s+)[^\s"'{}[\],][^{}[\],]*/g
const PASSWORD_OF_ADDRESS = /((?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s/?#:@"']*:)[^\s/?#@"']+@/gi

/** Programs call their keys by the name of whom they are for. */
const isSecretName = (name: string): boolean => hidesSecret(name) || /[_-]key$/i.test(name)

function shownLine(line: string, secrets: readonly string[]): string {
  const named = NAMED.exec(line)
  const [, head = '', name = '', open = '', , close = ''] = named ?? []
  if (named && isSecretName(name)) return `${head}${open}${MASK}${close}`
  const [, begun = '', secret = ''] = BEGUN.exec(line) ?? []
  if (isSecretName(secret)) return `${begun}${MASK}`
  const longestFirst = [...secrets, ...listedSecrets(line)].sort((one, other) => other.length - one.length)
  const bare = longestFirst.reduce((text, secret) => text.replaceAll(secret, MASK), line).replace(KEY, MASK)
  return bare
    .replace(PAIRS, (whole, quote: string, member: string, sign: string, mark: string) =>
      isSecretName(member) ? `${quote}${member}${quote}${sign}${mark}${MASK}${mark}` : whole,
    )
    .replace(BARE, (whole, lead: string, member: string, sign: string) =>
      isSecretName(member) ? `${lead}${member}${sign}${MASK}` : whole,
    )
    .replace(PASSWORD_OF_ADDRESS, `$1${MASK}@`)
}
