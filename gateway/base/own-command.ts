let command = 'switchyard'

/** How a person calls the command line of this installation in a shell (docs/reference/command-line.md#in-texts). */
export const ownCommand = (): string => command

/** What starts the process says so once, where it is not `switchyard`. */
export function setOwnCommand(own: string | undefined): void {
  if (own) command = own
}
