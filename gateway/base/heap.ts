import { setFlagsFromString } from 'node:v8'

/**
 * Stops V8 from allocating objects in the old generation because they lived long during a busy hour: a request that
 * references one such object stays in memory until the next full collection
 * (docs/decisions/2026-11-21-requests-die-young.md).
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
