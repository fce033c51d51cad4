/// Makes completions for fish.
struct FishCompletions {
    let table: CommandTable

    var script: String {
        var lines = ["# Completions of \(table.tool) for fish.", "complete -c \(table.tool) -f"]
        lines += members(table.commands, path: [table.tool])
        lines += [FlagDescription.help, .version].map { option($0, "__fish_use_subcommand") }
        table.forEachCommand { path, command in
            let condition = condition(path, excluding: command.subcommands)
            lines += members(command.subcommands, path: path)
            lines += (command.flags + [.help]).map { option($0, condition) }
            switch command.operands.completion {
            case .nothing: break
            case .files where command.operands.maximum > 0: lines.append(line(condition) + " -F")
            case .files: break
            case .words(let words): lines.append(line(condition) + " -a " + Self.quoted(words.joined(separator: " ")))
            }
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func members(_ commands: [Command], path: [String]) -> [String] {
        commands.map { command in
            line(condition(path, excluding: commands))
                + " -a \(command.name) -d \(Self.quoted(command.abstract))"
        }
    }

    private func option(_ flag: FlagDescription, _ condition: String) -> String {
        let short = flag.short.map { " -s \($0)" } ?? ""
        let value =
            switch flag.completion {
            case .nothing: flag.takesValue ? " -x" : ""
            case .files: " -r -F"
            case .words(let words): " -x -a " + Self.quoted(words.joined(separator: " "))
            }
        return line(condition) + "\(short) -l \(flag.long)\(value) -d \(Self.quoted(flag.help))"
    }

    private func line(_ condition: String) -> String {
        "complete -c \(table.tool) -n \(Self.quoted(condition))"
    }

    /// Returns a condition that is true if the words of the path have been typed, but no command below it.
    private func condition(_ path: [String], excluding commands: [Command]) -> String {
        let typed = path.dropFirst().map { "__fish_seen_subcommand_from \($0)" }
        guard !typed.isEmpty else { return "__fish_use_subcommand" }
        let names = commands.map(\.name).joined(separator: " ")
        return (typed + (names.isEmpty ? [] : ["not __fish_seen_subcommand_from \(names)"])).joined(separator: "; and ")
    }

    /// Returns a text in single quotes; in fish, these allow escapes of the quote and of the backslash.
    private static func quoted(_ text: String) -> String {
        var result = "'"
        for character in text {
            if character == "'" || character == "\\" { result += "\\" }
            result.append(character)
        }
        return result + "'"
    }
}
