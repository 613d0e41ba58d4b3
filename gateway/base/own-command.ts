let command = 'switchyard'

/** The shell command of this installation's command line (docs/reference/command-line.md#command-name). */
export const ownCommand = (): string => command

/** Called once at startup; without a name, the command is `switchyard`. */
export function setOwnCommand(own: string | undefined): void {
  if (own) command = own
}
