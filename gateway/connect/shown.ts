import type { DiffLine } from '../../shared/connect/connect-protocol.ts'
import { hidesSecret, MASK } from '../../shared/secret-mask.ts'

/** Masks API keys, ours and others', and the values of secret-named settings in lines to display. */
export const shownLines = (lines: readonly DiffLine[], secrets: readonly string[]): readonly DiffLine[] =>
  lines.map(({ kind, text }) => ({ kind, text: shownLine(text, secrets) }))

/** A name before a list, which is in brackets or in lines that start with a dash. */
const LIST = /(["']?)(?<![\w.-])([\w.-]+)\1[ \t]*[:=][ \t]*(?:\[|(?:#[^\n]{0,500})?\r?\n(?=[ \t]*-[ \t]))/g
const IN_BRACKETS = /^(?:"(?:\\.|[^"\\])*"|'[^']*'|[^\]"'])*/
/** Lines with dashes, and their nested lines. */
const DASH_LIST = /^([ \t]*)-[^\n]*(?:\n(?:\1[ \t#-][^\n]*|[ \t]*))*/
const ITEM =
  /"((?:\\.|[^"\\]){1,9999})"(?!\s*[:=])|'([^']+)'(?!\s*[:=])|(?<=^|[\s,[{-])([^\s,[\]{}"'#:=-][^\s,[\]{}"'#]*)(?!\s*:\s)/g
/** Min characters of a masked value of a list: shorter ones occur in too many positions to be masked everywhere. */
const MIN_LENGTH = 4

/** Values of secret-named lists in a complete text, since a single line of a list does not show its name. */
export function listedSecrets(text: string): string[] {
  let end = 0
  return [...text.matchAll(LIST)].flatMap(({ 0: head, 2: name = '', index }) => {
    if (!isSecretName(name) && !isSecretName(name.replace(/s$/i, ''))) return []
    const start = index + head.length
    // A nested list was read with the outer one.
    if (start <= end) return []
    const [items = ''] = (head.endsWith('[') ? IN_BRACKETS : DASH_LIST).exec(text.slice(start)) ?? []
    end = start + items.length
    return [...items.matchAll(ITEM)]
      .map(([, double, single, bare]) => double ?? single ?? bare ?? '')
      .filter(({ length }) => length >= MIN_LENGTH)
  })
}

/** `name: value` or `name = value`, with or without quotes, in each format. */
const NAMED = /^(\s*(?:-\s+|export\s+)?["']?([\w.-]+)["']?\s*[:=]\s*)(["']?)([^"'\s](?:[^"']*[^"'\s,])?)(["']?,?\s*)$/
const KEY = /\b(?:sk|pk|key|ghp|xox[a-z])[-_][\w-]{8,}|\bAIza[\w-]{8,}/g

/** A name and the beginning of its value, whatever follows (quotes, a comment), unless it opens an object or a list. */
const NAME_WITH_VALUE = /^(\s*(?:-\s+|export\s+)?["']?([\w.-]+)["']?\s*[:=]\s*)[^\s{[]/

/** Several names with values in one line, each with a quoted value. */
const PAIRS = /(["']?)(?<![\w.-])([\w.-]+)\1(\s*[:=]\s*)(["'])(?:(?!\4)[^\\]|\\.){1,9999}\4/g
/** Unquoted pairs, as YAML has them within a line. */
const BARE = /([{,]\s*)([\w.-]+)(:\s+)[^\s"'{}[\],][^{}[\],]*/g
const PASSWORD_OF_ADDRESS = /((?<![\w+.-])[a-z][\w+.-]*:\/\/[^\s/?#:@"']*:)[^\s/?#@"']+@/gi

/** Whether a setting with this name is a secret; programs also name keys after the service, such as `groq_key`. */
const isSecretName = (name: string): boolean => hidesSecret(name) || /[_-]key$/i.test(name)

function shownLine(line: string, secrets: readonly string[]): string {
  const named = NAMED.exec(line)
  const [, head = '', name = '', open = '', , close = ''] = named ?? []
  if (named && isSecretName(name)) return `${head}${open}${MASK}${close}`
  const [, start = '', secret = ''] = NAME_WITH_VALUE.exec(line) ?? []
  if (isSecretName(secret)) return `${start}${MASK}`
  const longestFirst = [...secrets, ...listedSecrets(line)].sort((one, other) => other.length - one.length)
  const bare = longestFirst.reduce((text, secret) => text.replaceAll(secret, MASK), line).replace(KEY, MASK)
  return bare
    .replace(PAIRS, (match, quote: string, member: string, sign: string, mark: string) =>
      isSecretName(member) ? `${quote}${member}${quote}${sign}${mark}${MASK}${mark}` : match,
    )
    .replace(BARE, (match, lead: string, member: string, sign: string) =>
      isSecretName(member) ? `${lead}${member}${sign}${MASK}` : match,
    )
    .replace(PASSWORD_OF_ADDRESS, `$1${MASK}@`)
}
