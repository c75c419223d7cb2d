#!/usr/bin/env node
/**
 * Entry point of `likeness`, also `npm run likeness -- <arguments>`. Checks the Node version first, because
 * an older Node cannot even parse the code that it loads.
 */
const [major] = process.versions.node.split('.');
if (Number(major) >= 24) {
  const { runProcess } = await import('./command_line.ts');
  await runProcess();
} else {
  process.stderr.write(
    `likeness needs Node 24 or newer, and this is Node ${process.versions.node}. From a clone, "npm ci" brings the right one: "npm run likeness -- …", or node_modules/.bin/node out/main/cli.js …\n`,
  );
  process.exitCode = 1;
}

export {};
