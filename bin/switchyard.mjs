#!/usr/bin/env node
import { existsSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { pathToFileURL } from 'node:url'

/**
 * The command `switchyard` (docs/reference/command-line.md): what was built where this is an installed package, whose TypeScript
 * Node does not run, and the sources in a tree that is worked on.
 */
const LEAST_NODE = 24
const root = dirname(import.meta.dirname)
const source = join(root, 'gateway', 'headless.mjs')
const built = join(root, 'out', 'main', 'gateway.js')

if (Number(process.versions.node.split('.')[0]) < LEAST_NODE) {
  process.stderr.write(`Switchyard needs Node.js ${LEAST_NODE} or newer; this is ${process.versions.node}\n`)
  process.exit(1)
}
const isInstalled = root.split(sep).includes('node_modules') || !existsSync(source)
await import(pathToFileURL(isInstalled ? built : source).href)
