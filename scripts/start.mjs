// `npm start`: installs and builds what is missing, then runs the built gateway on Node 24 with the flags it was given.
// `npm start -- doctor` and similar commands (docs/reference/command-line.md) run the sources and need no build.
import { builtGateway, ensureBuilt } from './built.mjs'
import { runTogether } from './children.mjs'
import { ensureInstalled, fail, headlessArgs, node24 } from './node24.mjs'

ensureInstalled()
const given = process.argv.slice(2)
const isCommand =
  (given.length > 0 && !given[0].startsWith('-') && given[0] !== 'serve') ||
  ['--help', '-h', '--version'].some((flag) => given.includes(flag))
if (!isCommand && !(await ensureBuilt())) fail('the gateway could not be built: see above')
runTogether([
  {
    file: node24(),
    args: [...headlessArgs(isCommand ? undefined : builtGateway), ...given],
    env: { ...process.env, SWITCHYARD_COMMAND: 'npm start --' },
  },
])
