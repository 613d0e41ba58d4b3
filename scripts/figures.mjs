// `npm run figures`: weight and speed of every page of the console as it was last built, into
// docs/reference/console-performance.md; exits 1 when a target is missed.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
runTogether([{ file: node24(), args: [join(root, 'tests', 'e2e', 'console-figures.ts')], env: process.env }])
