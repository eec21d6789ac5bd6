import { openProgram, readArguments } from './open-program.ts'

/**
 * The whole program in a process of its own: `program.ts <data directory> <number of accounts> [<SETTING=value> …]`.
 * Prints its port and the API key of each account; ends with its standard input.
 */
await using program = await openProgram(readArguments(process.argv.slice(2)))
process.stdout.write(program.line)
process.stdin.resume()
await new Promise((resolve) => process.stdin.on('end', resolve))
