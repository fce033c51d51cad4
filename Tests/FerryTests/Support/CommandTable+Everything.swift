import CommandLineParsing

extension CommandTable {
    /// All commands, those in groups included, with the words that call them.
    var everyCommand: [(path: [String], command: Command)] {
        func members(_ commands: [Command], _ path: [String]) -> [(path: [String], command: Command)] {
            commands.flatMap { command in
                [(path + [command.name], command)] + members(command.subcommands, path + [command.name])
            }
        }
        return members(commands, [tool])
    }

    /// What a command line prints that asks for help, a version or completions; nil if it would do work.
    func printed(_ words: String...) throws -> String? {
        guard case .print(let text) = try parse(words) else { return nil }
        return text
    }
}
