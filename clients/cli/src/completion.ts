import { UserError, type Command } from './command.ts'

type Commands = Readonly<Record<string, Command>>

/** `links ls` and `links get` are the commands of the group `links`. */
function tree(commands: Commands) {
  const groups = new Map<string, string[]>()
  for (const name of Object.keys(commands)) {
    const [first, second] = name.split(' ') as [string, string?]
    groups.set(first, [...(groups.get(first) ?? []), ...(second ? [second] : [])])
  }
  return groups
}

const optionsOf = (command: Command) =>
  [...Object.keys(command.options ?? {}), 'json', 'help'].map((name) => `--${name}`)

const SCRIPTS: Record<string, (commands: Commands) => string> = {
  bash: (commands) => `_signpost() {
  local current=\${COMP_WORDS[COMP_CWORD]} before="\${COMP_WORDS[*]:1:COMP_CWORD-1}" words
  case "$before" in
    '') words='${[...tree(commands).keys()].join(' ')}' ;;
${[...tree(commands)]
  .filter(([, seconds]) => seconds.length > 0)
  .map(([first, seconds]) => `    ${first}) words='${seconds.join(' ')}' ;;\n`)
  .join('')}${Object.entries(commands)
    .map(([name, command]) => `    '${name}'*) words='${optionsOf(command).join(' ')}' ;;\n`)
    .join('')}  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _signpost signpost
`,
  zsh: (commands) => `autoload -U +X bashcompinit && bashcompinit
${SCRIPTS['bash']!(commands)}`,
  fish: (commands) =>
    [...tree(commands)]
      .map(([first, seconds]) => {
        const about = seconds.length > 0 ? `${first} …` : commands[first]!.summary
        return [
          `complete -c signpost -f -n __fish_use_subcommand -a ${first} -d "${about}"\n`,
          ...seconds.map(
            (second) =>
              `complete -c signpost -f -n "__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${seconds.join(' ')}" -a ${second} -d "${commands[`${first} ${second}`]!.summary}"\n`,
          ),
        ].join('')
      })
      .join('') +
    Object.entries(commands)
      .flatMap(([name, { options = {} }]) =>
        Object.entries(options).map(
          ([option, { about }]) =>
            `complete -c signpost -n "${name
              .split(' ')
              .map((word) => `__fish_seen_subcommand_from ${word}`)
              .join('; and ')}" -l ${option} -d "${about.replaceAll('"', "'")}"\n`,
        ),
      )
      .join(''),
}

export function completionOf(commands: () => Commands): Command {
  return {
    args: 'SHELL',
    summary: 'print the completion of bash, zsh or fish',
    async run(_, { args }) {
      const script = SCRIPTS[args[0]!]
      if (!script)
        throw new UserError(`There is completion for bash, zsh and fish; not for "${args[0]}".`)
      const text = script(commands())
      return { data: { script: text }, text }
    },
  }
}
