#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/**
 * The entry point of the headless gateway. Node caches the stripped TypeScript for the next start, which is then twice
 * as fast and needs a sixth less memory; if the folder cannot be written, nothing is cached. This file is JavaScript,
 * so that such a start does not load Node's TypeScript support (12 MB).
 */
enableCompileCache(join(import.meta.dirname, '../node_modules/.cache/compiled'))
const { runHeadless } = await import('./headless-gateway.ts')
// The process exits once its output is written: a finished command leaves nothing open that would prevent it.
process.exitCode = await runHeadless(process.argv.slice(2))
