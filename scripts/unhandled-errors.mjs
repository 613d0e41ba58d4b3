import { writeFileSync } from 'node:fs'

/** A reporter of Vitest: writes the errors that belong to no test, which its JSON report leaves out, into UNHANDLED_ERRORS. */
export default class UnhandledErrors {
  onTestRunEnd(_modules, errors) {
    writeFileSync(process.env.UNHANDLED_ERRORS, JSON.stringify(errors.map(({ message, stack }) => stack ?? message)))
  }
}
