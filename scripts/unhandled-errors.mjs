import { writeFileSync } from 'node:fs'

/** A Vitest reporter that writes errors outside any test, which its JSON report leaves out, into UNHANDLED_ERRORS. */
export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message, stack }) => stack ?? message)))
  }
}
