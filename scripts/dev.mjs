// `npm run dev`: the gateway, restarted on every change, and the console with hot reload in front of it.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTogether } from './children.mjs'
import { ensureInstalled, headlessArgs, node24, root, toolEnvironment } from './node24.mjs'

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: process.env.PORT ?? '6411' },
    'data-dir': { type: 'string', default: process.env.DATA_DIR ?? join(root, 'data', 'dev') },
  },
})

ensureInstalled()
runTogether([
  {
    file: node24(),
    args: ['--watch', '--watch-preserve-output', ...headlessArgs()],
    env: toolEnvironment({ PORT: values.port, DATA_DIR: values['data-dir'] }),
  },
  {
    file: node24(),
    args: [join(root, 'node_modules', 'vite', 'bin', 'vite.js'), '--clearScreen=false'],
    env: toolEnvironment({ GATEWAY_URL: `http://127.0.0.1:${values.port}` }),
  },
])
