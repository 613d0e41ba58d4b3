// `npm run bench`: measures the gateway beside bare proxies on Node 24, with the flags it was given (bench/README.md);
// `npm run bench -- events` what watching and translating a stream costs, `npm run bench -- logs` what reading a log of a
// million rows does, `npm run bench -- loop` how long a large request keeps the gateway to itself, `npm run bench --
// channels` what choosing among thousands of channels takes, `npm run bench -- dashboard` what open dashboards do, `npm run
// bench -- users` what ten thousand accounts do, `npm run bench -- export` what a file of a million rows takes, `npm run
// bench -- backup` what a backup does to requests, `npm run bench -- turns --compare=REV` two revisions by turns.
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const [first, ...others] = process.argv.slice(2)
const own = ['backup', 'channels', 'dashboard', 'events', 'export', 'logs', 'loop', 'turns', 'users'].includes(first)
const args = own ? [`${first}.ts`, ...others] : ['run.ts', ...process.argv.slice(2)]
runTogether([{ file: node24(), args: [join(root, 'bench', args[0]), ...args.slice(1)], env: process.env }])
