import { type Command, type Given, wrongUse } from './command.ts'

/** A command with its arguments, and the flags of every command and of the gateway. */
export type CommandLine = Given &
  Readonly<{
    name: string
    isJson: boolean
    flags: readonly string[]
  }>

/**
 * Parses the command's words and flags, in any order. All flags of the gateway have a value, and so do the flags of the
 * command that declare `value`: the next word, unless given after `=`. Throws if the value of a flag of the command is
 * missing; those of the gateway are checked later.
 */
export function readLine(name: string, rest: readonly string[], command: Command | undefined): CommandLine {
  const own = command?.flags ?? {}
  const line = { name, args: [] as string[], switches: [] as string[], values: {} as Record<string, string> }
  const flags: string[] = []
  let isJson = false
  for (let at = 0; at < rest.length; at += 1) {
    const word = rest[at] ?? ''
    const [flag = '', ...behind] = word.split('=')
    const spec = Object.hasOwn(own, flag) ? own[flag] : undefined
    if (!word.startsWith('-') || word === '-') line.args.push(word)
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

export function usageOf(name: string, { args = '', flags = {} }: Command): string {
  const own = Object.entries(flags).map(([flag, { value }]) => (value ? `[${flag} <${value}>]` : `[${flag}]`))
  return [name, args, ...own].filter(Boolean).join(' ')
}
