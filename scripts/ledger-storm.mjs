// A million random operations on the ledger of a real database, killed over a hundred times (tests/long): the flags are
// --operations, --crashes and --seed.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const args = [join(root, 'tests/long/ledger-storm.ts'), ...process.argv.slice(2)]
runTogether([{ file: node24(), args, env: process.env }])
