// `npm start`: installs and builds what is missing, then runs the gateway on Node 24 with the flags it was given.
// `npm start -- reset-login` and its like (docs/operations.md#locked-out) need no console.
import { ensureBuilt } from './built.mjs'
import { runTogether } from './children.mjs'
import { ensureInstalled, fail, headlessArgs, node24 } from './node24.mjs'

ensureInstalled()
const isCommand = process.argv.length > 2 && !process.argv[2].startsWith('-')
if (!isCommand && !ensureBuilt('console')) fail('the console could not be built: see above')
runTogether([{ file: node24(), args: [...headlessArgs(), ...process.argv.slice(2)], env: process.env }])
