import { randomBytes } from 'node:crypto'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** The code that the links of the first setup contain, on every node. */
export interface SetupCode {
  /** The first node that reads it makes it. */
  read(): MaybePromise<string>
  /** Called once setup is done. */
  forget(): MaybePromise<void>
}

/** 192 bits. */
export const newSetupCode = (): string => randomBytes(24).toString('base64url')

/** New on each start. */
export function createSetupCode(): SetupCode {
  const code = newSetupCode()
  return { read: () => code, forget: () => {} }
}
