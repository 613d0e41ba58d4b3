#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * Where the headless gateway begins. What Node makes of the TypeScript is kept for the next start, which is then twice as
 * fast and needs a sixth less memory; where the folder cannot be written, nothing is kept. This file is JavaScript, so
 * that such a start does not load what turns TypeScript into it (12 MB).
 */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runHeadless } = await import('./headless-gateway.ts')
// It ends once what was printed has gone out; nothing that is left of a command holds the process.
process.exitCode = await runHeadless(process.argv.slice(2))
