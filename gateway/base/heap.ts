import { setFlagsFromString } from 'node:v8'

/**
 * Keeps V8 from allocating in the old generation what lived long during a busy hour: a request that holds one such
 * object outlives its end until the next full collection (docs/decisions/2026-11-21-requests-die-young.md).
 */
export function keepRequestsYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
