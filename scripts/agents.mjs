// `npm run agents -- --bin=FOLDER`: runs the coding agents that are on PATH or in the folders given against a gateway with
// fake vendors that hold every request against their published schema, and prints the table of docs/clients.md. The other
// flags are --agents, --vendors, --scenarios, --at-once, --keep, --record, --lenient and --set-up (tests/agents/run.ts).
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const args = [join(root, 'tests/agents/run.ts'), ...process.argv.slice(2)]
runTogether([{ file: node24(), args, env: process.env }])
