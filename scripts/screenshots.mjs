// `npm run screenshots`: images of every page in every state into out/screenshots, from the last build of the console.
// Arguments choose pages, widths, themes and languages (tests/e2e/take-screenshots.ts); the default is all of them.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const file = join(root, 'tests', 'e2e', 'take-screenshots.ts')
runTogether([{ file: node24(), args: [file, ...process.argv.slice(2)], env: process.env }])
