// Notifies a gateway of payments while it is killed (kill -9) between a notice and its response, fifty times or as
// often as the first argument says, and while codes are redeemed; afterwards each order and code must have been
// credited exactly once (tests/process/payment.deep.test.ts, which kills it a few times in every run of the tests).
import { join } from 'node:path'
import { runTogether } from './children.mjs'
import { ensureInstalled, node24, root } from './node24.mjs'

ensureInstalled()
const args = [join(root, 'node_modules/vitest/vitest.mjs'), 'run', 'tests/process/payment.deep.test.ts']
runTogether([{ file: node24(), args, env: { ...process.env, PAYMENT_KILLS: process.argv[2] ?? '50' } }])
