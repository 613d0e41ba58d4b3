// `npm run fidelity`: regenerates docs/fidelity.md from the goldens of the dialects (tests/gateway/relay/goldens).
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const writer = join(root, 'tests', 'gateway', 'relay', 'goldens', 'write-fidelity.ts')
runTogether([{ file: node24(), args: [writer], env: process.env }])
