/// Makes completions for bash 3.2 and later, without the bash-completion package.
struct BashCompletions {
    let table: CommandTable

    /// The script. One function walks through the words to find the command; another one knows what each command
    /// accepts.
    var script: String {
        let name = "_" + table.identifier
        return """
            # Completions of \(table.tool) for bash.
            \(name)_facts() {
                commands="" options="" operands="" choices=""
                case "$1" in
            \(facts().joined(separator: "\n"))
                esac
            }

            \(name)_complete() {
                local current="${COMP_WORDS[COMP_CWORD]}" path=\(CommandTable.quoted(table.tool)) option="" word index
                local commands options operands choices
                COMPREPLY=()
                \(name)_facts "$path"
                for ((index = 1; index < COMP_CWORD; index++)); do
                    word="${COMP_WORDS[index]}"
                    if [[ "$word" == "=" ]]; then continue; fi
                    if [[ -n "$option" ]]; then option=""; continue; fi
                    case " $choices " in *" $word:"*) option="$word"; continue ;; esac
                    case " $commands " in *" $word "*) path="$path $word"; \(name)_facts "$path" ;; esac
                done
                if [[ "$current" == "=" ]]; then current=""; fi
                if [[ -n "$option" ]]; then
                    operands="${choices#*" $option:"}"
                    operands="${operands%%" "*}"
                elif [[ "$current" == -* ]]; then
                    COMPREPLY=($(compgen -W "$options" -- "$current"))
                    return
                elif [[ -n "$commands" ]]; then
                    COMPREPLY=($(compgen -W "$commands" -- "$current"))
                    return
                fi
                if [[ "$operands" == "@files" ]]; then
                    compopt -o filenames 2>/dev/null
                    local IFS=$'\\n'
                    COMPREPLY=($(compgen -f -- "$current"))
                elif [[ -n "$operands" ]]; then
                    COMPREPLY=($(compgen -W "${operands//,/ }" -- "$current"))
                fi
            }

            complete -F \(name)_complete \(table.tool)

            """
    }

    private func facts() -> [String] {
        var cases = [
            branch([table.tool], table.commands, [.help, .version], .nothing)
        ]
        table.forEachCommand { path, command in
            cases.append(branch(path, command.subcommands, command.flags + [.help], command.operands.completion))
        }
        return cases
    }

    /// Returns the branch of the function for one command: `choices` has `OPTION:VALUES` for each option with a value.
    private func branch(
        _ path: [String], _ commands: [Command], _ flags: [FlagDescription], _ operands: ValueCompletion
    ) -> String {
        let choices = flags.filter(\.takesValue).flatMap { flag in
            spellings(flag).map { "\($0):\(words(flag.completion))" }
        }
        return """
                    \(CommandTable.quoted(path.joined(separator: " "))))
                        commands=\(CommandTable.quoted(commands.map(\.name).joined(separator: " ")))
                        options=\(CommandTable.quoted(flags.flatMap(spellings).joined(separator: " ")))
                        choices=\(CommandTable.quoted(choices.isEmpty ? "" : " \(choices.joined(separator: " ")) "))
                        operands=\(CommandTable.quoted(words(operands))) ;;
            """
    }

    private func spellings(_ flag: FlagDescription) -> [String] {
        [flag.spelling] + (flag.short.map { ["-\($0)"] } ?? [])
    }

    private func words(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: ""
        case .files: "@files"
        case .words(let words): words.joined(separator: ",")
        }
    }
}
