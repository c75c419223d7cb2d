// Runs under any Node, before anything else: prints one clear line for a wrong version.
const [major] = process.versions.node.split('.');
if (major !== '24' && major !== '26') {
  console.error(
    `Likeness Studio runs on Node 24 or 26, and this is Node ${process.versions.node}. Run "npm ci" (it brings Node 24 with it) and start through npm: "npm start", "npm test", "npm run likeness -- …".`,
  );
  process.exit(1);
}
