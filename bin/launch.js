/**
 * Entry point of every npm script. It runs on the Node of the machine, so this file keeps to syntax
 * that an old Node can parse; the files that it imports need Node 20.
 */
const OLDEST = 20
const version = process.versions.node

if (Number(version.split('.')[0]) < OLDEST) {
  process.stderr.write(
    'signpost: Node ' + OLDEST + ' or later is needed to start; this is Node ' + version + '.\n',
  )
  process.exitCode = 1
} else {
  void import('./launcher/commands.js').then(({ launch }) => launch(process.argv.slice(2)))
}
