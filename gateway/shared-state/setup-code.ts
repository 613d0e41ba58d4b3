import { randomBytes } from 'node:crypto'
import type { MaybePromise } from '../base/maybe-promise.ts'

/** The code that the links of the first setup contain, on every node. */
export interface SetupCode {
  /** Returns the code, which the first node to call this creates. */
  read(): MaybePromise<string>
  /** Called once setup is done. */
  forget(): MaybePromise<void>
}

/** 192 bits. */
export const newSetupCode = (): string => randomBytes(24).toString('base64url')

/** A code of this process, new on each start. */
export function createSetupCode(): SetupCode {
  const code = newSetupCode()
  return { read: () => code, forget: () => {} }
}
