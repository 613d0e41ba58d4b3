#!/usr/bin/env node
// What `npx switchyard` runs. It is old JavaScript, so that an old Node says what it lacks in place of a syntax error.
const major = Number.parseInt(process.versions.node, 10)
if (major < 24) {
  console.error(`Switchyard needs Node 24 or later, this is ${process.version}: install it from https://nodejs.org`)
  process.exit(1)
}
import('../out/main/gateway.js')
