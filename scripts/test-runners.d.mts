/** Types of scripts/test-runners.mjs for tests, which are TypeScript. */
export type TestResult = {
  file: string
  title: string
  milliseconds: number
  status: 'passed' | 'failed' | 'skipped'
  message: string
  /** Selects this test in another run. */
  pattern?: string
}
/** `test` may name only a file; the tool's output goes to the terminal, or into `output`. */
export function runVitest(choice: {
  full: boolean
  test?: Pick<TestResult, 'file' | 'pattern'>
  output?: Uint8Array[]
}): Promise<TestResult[]>
export function runPlaywright(choice: { full: boolean; test?: TestResult }): Promise<TestResult[]>
export function readVitest(report: object): TestResult[]
export function readPlaywright(report: object): TestResult[]
