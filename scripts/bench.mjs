// `npm run bench`: measures the gateway beside bare proxies on Node 24, with the flags it was given (bench/README.md).
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
runTogether([{ file: node24(), args: [join(root, 'bench', 'run.ts'), ...process.argv.slice(2)], env: process.env }])
