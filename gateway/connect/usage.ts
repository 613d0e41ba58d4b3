/** How a shell sets programs up; what does it is loaded when it is asked for. */
export const CONNECT_USAGE =
  'connect <program> [--key=<key>] [--model=<model>] [--dry-run] [--undo] [--list] [--url=<address>] [--json]'
