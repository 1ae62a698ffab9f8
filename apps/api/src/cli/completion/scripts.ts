import type { CommandHelp } from '../help.ts';
import { type Candidates, type Rules, rulesOf } from './rules.ts';

export const shells = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof shells)[number];

export const completionScript = (shell: Shell, commands: readonly CommandHelp[]): string =>
  shell === 'fish' ? fishScript(commands) : scripts[shell](findFunction(rulesOf(commands)));

/**
 * For bash and zsh: `_pnpm_cli_find <word> <word before it> <words after cli, without options>`
 * sets `found`, and `files` if file names are possible.
 */
const findFunction = ({ names, next, options, values }: Rules): string => `_pnpm_cli_find() {
  local current="$1" previous="$2" name
  shift 2
  found='' files=''
  if [ "$1" = help ]; then shift; fi
  name="$1\${2:+ $2}"
  case "$name" in
    ${names.map(quoted).join(' | ')}) ;;
    *) name="$1" ;;
  esac
  case "$name $previous" in
    ${[...values].map(([at, value]) => branch(at, ...assign(value), 'return')).join('\n    ')}
  esac
  case "$current" in
    -*)
      case "$name" in
        ${[...options]
          .filter(([, words]) => words.length > 0)
          .map(([at, words]) => branch(at, ...assign({ words, isPath: false })))
          .join('\n        ')}
      esac
      found="$found --json --help"
      return
      ;;
  esac
  case "$name" in
    ${[...next]
      .filter(([, { words, isPath }]) => words.length > 0 || isPath)
      .map(([at, value]) => branch(at, ...assign(value)))
      .join('\n    ')}
  esac
}
`;

const assign = ({ words, isPath }: Candidates): string[] => [
  ...(words.length > 0 ? [`found=${quoted(words.join(' '))}`] : []),
  ...(isPath ? ['files=1'] : []),
];

const branch = (pattern: string, ...body: readonly string[]): string =>
  `${quoted(pattern)}) ${body.join('; ')}${body.length > 0 ? ' ' : ''};;`;

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

const scripts = {
  bash: (
    find: string,
  ): string => `# Completes \`pnpm cli\` in bash. Written by \`pnpm --silent cli completion bash\`.
${find}
_pnpm_cli() {
  local found files word given=() at=1
  # Options of pnpm, such as --silent.
  while [[ $at -lt $COMP_CWORD && \${COMP_WORDS[at]} == -* ]]; do at=$((at + 1)); done
  if [[ $at -ge $COMP_CWORD || \${COMP_WORDS[at]} != cli ]]; then
    if [[ $_pnpm_before_cli ]]; then "$_pnpm_before_cli" "$@"; else compopt -o default; fi
    return
  fi
  for word in "\${COMP_WORDS[@]:at+1:COMP_CWORD-at-1}"; do
    if [[ $word != -* ]]; then given+=("$word"); fi
  done
  _pnpm_cli_find "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}" "\${given[@]}"
  COMPREPLY=($(compgen -W "$found" -- "\${COMP_WORDS[COMP_CWORD]}"))
  if [[ $files ]]; then compopt -o default; fi
}

# pnpm's own completion, if it is installed.
_pnpm_completion=$(complete -p pnpm 2> /dev/null)
if [[ $_pnpm_completion == *' -F '* && $_pnpm_completion != *' -F _pnpm_cli '* ]]; then
  _pnpm_before_cli=\${_pnpm_completion#* -F }
  _pnpm_before_cli=\${_pnpm_before_cli%% *}
fi
unset _pnpm_completion
complete -F _pnpm_cli pnpm
`,

  zsh: (
    find: string,
  ): string => `# Completes \`pnpm cli\` in zsh, after compinit. Written by \`pnpm --silent cli completion zsh\`.
${find}
_pnpm_cli() {
  local found files at=2
  local -a given
  # Options of pnpm, such as --silent.
  while (( at < CURRENT )) && [[ $words[at] == -* ]]; do (( at += 1 )); done
  if (( at >= CURRENT )) || [[ $words[at] != cli ]]; then
    \${_pnpm_before_cli:-_default} "$@"
    return
  fi
  given=(\${words[at+1,CURRENT-1]:#-*})
  _pnpm_cli_find "$words[CURRENT]" "$words[CURRENT-1]" $given
  [[ -n $files ]] && _files
  [[ -n $found ]] && compadd -- \${=found}
}

# pnpm's own completion, if it is installed.
if [[ -n $_comps[pnpm] && $_comps[pnpm] != _pnpm_cli ]]; then _pnpm_before_cli=$_comps[pnpm]; fi
compdef _pnpm_cli pnpm
`,
};

function fishScript(commands: readonly CommandHelp[]): string {
  const { next } = rulesOf(commands);
  const summaries = new Map(commands.map(({ name, summary }) => [name, summary]));
  const words = [...next].flatMap(([before, { words: all }]) =>
    all.map((word) => {
      const summary = summaries.get(`${before} ${word}`.trim());
      const description = summary === undefined ? '' : ` -d ${fishQuoted(summary)}`;
      return `complete -c pnpm -n '__pnpm_cli_at ${before}' -fa ${word}${description}`;
    }),
  );
  const paths = [...next].filter(([, { isPath }]) => isPath);
  const options = commands.flatMap(({ name, options: all }) =>
    [
      ...all,
      { name: 'json', value: null, choices: [], isPath: false, description: 'Prints JSON.' },
      { name: 'help', value: null, choices: [], isPath: false, description: 'Prints help.' },
    ].map((option) => {
      const values =
        option.value === null
          ? ''
          : option.isPath
            ? ' -rF'
            : ` -x${option.choices.length > 0 ? `a ${fishQuoted(option.choices.join(' '))}` : ''}`;
      return `complete -c pnpm -n '__pnpm_cli_at ${name}' -l ${option.name}${values} -d ${fishQuoted(option.description)}`;
    }),
  );
  return `# Completes \`pnpm cli\` in fish. Written by \`pnpm --silent cli completion fish\`.

# Whether the text before the cursor is this command, or the beginning of one.
function __pnpm_cli_at
    set -l given (commandline -opc)
    set -e given[1]
    # Options of pnpm, such as --silent.
    while string match -q -- '-*' "$given[1]"
        set -e given[1]
    end
    test "$given[1]" = cli; or return 1
    set -e given[1]
    set given (string match -v -- '-*' $given)
    test "$given[1]" = help; and set -e given[1]
    set -l name (string join ' ' -- $given[1..2])
    contains -- "$name" ${commands.map(({ name }) => fishQuoted(name)).join(' ')}; or set name "$given[1]"
    test "$name" = "$argv"
end

${[
  "complete -c pnpm -n '__pnpm_cli_at' -f",
  ...words,
  ...paths.map(([before]) => `complete -c pnpm -n '__pnpm_cli_at ${before}' -F`),
  ...options,
].join('\n')}
`;
}

const fishQuoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&')}'`;
