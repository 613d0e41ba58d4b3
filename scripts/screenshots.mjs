// `npm run screenshots`: pictures of every page in every state into out/screenshots, from the console as it was last built.
// Arguments choose pages, widths, themes and languages (tests/e2e/take-screenshots.ts); without any it is all of them.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const file = join(root, 'tests', 'e2e', 'take-screenshots.ts')
runTogether([{ file: node24(), args: [file, ...process.argv.slice(2)], env: process.env }])
