import { type Command, type Given, wrongUse } from './command.ts'

/** A command, what stands behind it, and what is for every command and for the gateway. */
export type CommandLine = Given &
  Readonly<{
    name: string
    isJson: boolean
    /** The gateway's own, as they were given. */
    flags: readonly string[]
  }>

/**
 * The command that the arguments begin with, its words and flags, in whatever order they stand behind it. Flags of the gateway
 * all have a value, which is the next word unless it is behind a `=`; so have those of the command that say so. Throws for a
 * value that is missing.
 */
export function readLine(name: string, rest: readonly string[], command: Command | undefined): CommandLine {
  const own = command?.flags ?? {}
  const line = { name, words: [] as string[], switches: [] as string[], values: {} as Record<string, string> }
  const flags: string[] = []
  let isJson = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const [flag = '', ...behind] = word.split('=')
    const spec = Object.hasOwn(own, flag) ? own[flag] : undefined
    if (!word.startsWith('-') || word === '-') line.words.push(word)
    else if (word === '--json') isJson = true
    else if (spec && spec.value === undefined && behind.length === 0) line.switches.push(word)
    else {
      const value = behind.length > 0 ? behind.join('=') : rest[++at]
      if (spec && value === undefined) throw wrongUse(`${flag} needs a value: ${flag} <${spec.value}>`)
      if (spec) line.values[flag] = value ?? ''
      else flags.push(flag, ...(value === undefined ? [] : [value]))
    }
  }
  return { ...line, flags, isJson }
}

/** How a command is called, in one line. */
export function usageOf(name: string, { words = '', flags = {} }: Command): string {
  const own = Object.entries(flags).map(([flag, { value }]) => (value ? `[${flag} <${value}>]` : `[${flag}]`))
  return [name, words, ...own].filter(Boolean).join(' ')
}
