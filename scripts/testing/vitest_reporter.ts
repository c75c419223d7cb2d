/** Vitest's reporter of `npm test`: writes `SuiteResults` as JSON to the file that LIKENESS_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';
import { failureLine, type SuiteResults } from './suite_results.ts';

export default class SuiteReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const results: SuiteResults = { passed: 0, skipped: 0, failures: [], flaky: [], files: [] };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      const { collectDuration, setupDuration, duration } = module.diagnostic();
      results.files.push({ file, seconds: (collectDuration + setupDuration + duration) / 1000 });
      for (const error of module.errors()) results.failures.push(failureLine(file, error.message));
      for (const suite of module.children.allSuites()) {
        for (const error of suite.errors()) {
          results.failures.push(failureLine(`${file} › ${suite.fullName}`, error.message));
        }
      }
      for (const test of module.children.allTests()) {
        const name = `${file} › ${test.fullName}`;
        const { state, errors } = test.result();
        if (state === 'passed') results.passed += 1;
        else if (state === 'failed') results.failures.push(failureLine(name, errors[0]?.message));
        else results.skipped += 1;
        if (state === 'passed' && test.diagnostic()?.flaky) results.flaky.push(name);
      }
    }
    for (const error of unhandled) results.failures.push(failureLine('outside of a test', error.message));
    const report = process.env.LIKENESS_TEST_REPORT;
    if (report) writeFileSync(report, JSON.stringify(results));
  }
}
