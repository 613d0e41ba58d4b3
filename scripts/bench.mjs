// `npm run bench`: compares the gateway with bare proxies on Node 24, with the flags it was given (bench/README.md);
// `npm run bench -- events` measures the cost of watching and translating a stream, `npm run bench -- logs` queries of
// a log of a million rows, `npm run bench -- loop` how long a large request blocks the gateway,
// `npm run bench -- channels` choosing among thousands of channels, `npm run bench -- dashboard` open dashboards,
// `npm run bench -- users` ten thousand accounts, `npm run bench -- export` an export of a million rows,
// `npm run bench -- backup` the effect of a backup on requests, `npm run bench -- nodes` several nodes on PostgreSQL,
// `npm run bench -- turns --compare=REV` two revisions in alternation.
import { join } from 'node:path'
import { ensureBuilt } from './built.mjs'
import { runTogether } from './children.mjs'
import { ensureInstalled, fail, node24, root } from './node24.mjs'

ensureInstalled()
if (!(await ensureBuilt())) fail('the gateway could not be built: see above')
const [first, ...others] = process.argv.slice(2)
const own = ['backup', 'channels', 'dashboard', 'events', 'export', 'logs', 'loop', 'nodes', 'turns', 'users'].includes(
  first,
)
const args = own ? [`${first}.ts`, ...others] : ['run.ts', ...process.argv.slice(2)]
runTogether([{ file: node24(), args: [join(root, 'bench', args[0]), ...args.slice(1)], env: process.env }])
