/** What scripts/test-runners.mjs promises, for tests that are TypeScript. */
export type TestResult = {
  file: string
  title: string
  milliseconds: number
  status: 'passed' | 'failed' | 'skipped'
  message: string
  /** Chooses this test in another run. */
  pattern?: string
}
/** `test` may be a file only; what the tool prints goes to the terminal, or into `output`. */
export function runVitest(choice: {
  full: boolean
  test?: Pick<TestResult, 'file' | 'pattern'>
  output?: Uint8Array[]
}): Promise<TestResult[]>
export function runPlaywright(choice: { full: boolean; test?: TestResult }): Promise<TestResult[]>
export function readVitest(report: object): TestResult[]
export function readPlaywright(report: object): TestResult[]
