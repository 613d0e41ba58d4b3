// A hundred thousand random requests over every route, handshakes and frames, to a gateway in its own process
// (tests/long): the flags are --requests, --seed, --from, --at-once, --minutes and --slowest.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const args = [join(root, 'tests/long/fuzz.ts'), ...process.argv.slice(2)]
runTogether([{ file: node24(), args, env: process.env }])
