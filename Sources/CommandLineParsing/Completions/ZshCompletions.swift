/// Makes completions for zsh, to be sourced after `compinit` or installed as `_ferry` in a folder of `fpath`.
struct ZshCompletions {
    let table: CommandTable

    var script: String {
        let name = "_" + table.identifier
        var functions = [
            group(name, table.commands, [.help, .version])
        ]
        table.forEachCommand { path, command in
            let function = functionName(path)
            let flags = command.flags + [.help]
            functions.append(
                command.subcommands.isEmpty
                    ? leaf(function, command, flags) : group(function, command.subcommands, flags))
        }
        return """
            #compdef \(table.tool)
            # Completions of \(table.tool) for zsh.

            \(functions.joined(separator: "\n\n"))

            if [ "$funcstack[1]" = "\(name)" ]; then
                \(name) "$@"
            else
                compdef \(name) \(table.tool)
            fi

            """
    }

    private func functionName(_ path: [String]) -> String {
        "_" + ([table.identifier] + path.dropFirst().map { $0.replacingHyphens }).joined(separator: "_")
    }

    private func leaf(_ name: String, _ command: Command, _ flags: [FlagDescription]) -> String {
        let operand = command.operands.maximum == 0 ? [] : ["'*:operand:\(action(command.operands.completion))'"]
        return """
            \(name)() {
                _arguments \(continued(flags.flatMap(specifications) + operand))
            }
            """
    }

    private func group(_ name: String, _ commands: [Command], _ flags: [FlagDescription]) -> String {
        let entries = commands.map { "        " + CommandTable.quoted("\($0.name):\($0.abstract.escaping([":"]))") }
        let branches = commands.map { "                \($0.name)) \(name)_\($0.name.replacingHyphens) ;;" }
        return """
            \(name)() {
                local context state state_descr line
                typeset -A opt_args
                local -a commands
                commands=(
            \(entries.joined(separator: "\n"))
                )
                _arguments -C \(continued(flags.flatMap(specifications) + ["'1: :->command'", "'*:: :->rest'"]))
                case "$state" in
                    command) _describe -t commands command commands ;;
                    rest)
                        case "$words[1]" in
            \(branches.joined(separator: "\n"))
                        esac ;;
                esac
            }
            """
    }

    private func continued(_ lines: [String]) -> String {
        "\\\n" + lines.map { "        " + $0 }.joined(separator: " \\\n")
    }

    /// Returns one specification for each spelling; an option that is not repeatable excludes its other spelling.
    private func specifications(_ flag: FlagDescription) -> [String] {
        let spellings = [flag.spelling] + (flag.short.map { ["-\($0)"] } ?? [])
        let first = flag.isRepeatable ? "*" : spellings.count > 1 ? "(\(spellings.joined(separator: " ")))" : ""
        let help = "[\(flag.help.escaping(["[", "]", ":"]))]"
        let value = flag.placeholder.map { ":\($0.escaping([":"])):\(action(flag.completion))" } ?? ""
        return spellings.map { spelling in
            let form = !flag.takesValue ? spelling : spelling.hasPrefix("--") ? spelling + "=" : spelling
            return CommandTable.quoted(first + form + help + value)
        }
    }

    private func action(_ completion: ValueCompletion) -> String {
        switch completion {
        case .nothing: " "
        case .files: "_files"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }
}

extension String {
    fileprivate var replacingHyphens: String {
        String(map { $0 == "-" ? "_" : $0 })
    }

    /// Returns the text with a backslash before each of the characters.
    fileprivate func escaping(_ characters: Set<Character>) -> String {
        var result = ""
        for character in self {
            if characters.contains(character) { result += "\\" }
            result.append(character)
        }
        return result
    }
}
