// `completion`: scripts for shells. They ask the hidden command `complete` at every Tab, so they never go out of date.
import { Argument, type Command } from 'commander'

const BASH = `# Completes channel-feed in bash: eval "$(channel-feed completion bash)"
_channel_feed() {
  local line="\${COMP_LINE:0:COMP_POINT}" words=() value prefix
  read -ra words <<< "$line"
  [[ $line == *' ' ]] && words+=('')
  # Bash splits words at colons too, and replaces only what follows the last one.
  prefix="\${words[\${#words[@]}-1]}"
  [[ $prefix == *:* ]] && prefix="\${prefix%:*}:" || prefix=''
  COMPREPLY=()
  while IFS=$'\\t' read -r value _; do
    printf -v value '%q' "$value"
    COMPREPLY+=("\${value#"$prefix"}")
  done < <("\${words[0]}" complete -- "\${words[@]:1}" 2>/dev/null)
}
complete -o default -F _channel_feed channel-feed
`

const ZSH = `#compdef channel-feed
# Completes channel-feed in zsh: eval "$(channel-feed completion zsh)"
_channel_feed() {
  local line value
  local -a values shown
  while IFS=$'\\t' read -r value line; do
    values+=("$value")
    shown+=("$value\${line:+  $line}")
  done < <("\${words[1]}" complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#values} )); then compadd -l -d shown -a values; else _files; fi
}
compdef _channel_feed channel-feed
`

const FISH = `# Completes channel-feed in fish: channel-feed completion fish | source
function __channel_feed
  set -l words (commandline -opc) (commandline -ct)
  set -l found ($words[1] complete -- $words[2..] 2>/dev/null)
  if test (count $found) -gt 0
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c channel-feed -f -a '(__channel_feed)'
`

const SCRIPTS = new Map([
  ['bash', BASH],
  ['zsh', ZSH],
  ['fish', FISH],
])

export function addCompletionCommand(program: Command): void {
  program
    .command('completion')
    .description('Print a script that completes commands, flags, channels and keys')
    .addArgument(new Argument('<shell>', 'The shell').choices([...SCRIPTS.keys()]))
    .action((shell: string) => {
      process.stdout.write(SCRIPTS.get(shell) ?? '')
    })
}
