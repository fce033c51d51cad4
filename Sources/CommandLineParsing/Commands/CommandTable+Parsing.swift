import TextEncodings

extension CommandTable {
    /// Parses a command line; `words` are the arguments without the tool's own name.
    /// - Throws: `UsageError`, with the tool and the command, if the words are not a command with its options and
    ///   operands.
    public func parse(_ words: [String]) throws(UsageError) -> CommandAction {
        guard let first = words.first else { throw missingCommand(in: commands, path: [tool]) }
        if first.hasPrefix("-") { return try parseToolOption(first, words) }
        return try parse(words[...], in: commands, path: [tool])
    }

    /// Parses options before any command.
    private func parseToolOption(_ first: String, _ words: [String]) throws(UsageError) -> CommandAction {
        if first == "--version", words.count == 1 { return .print("\(tool) \(version)\n" + buildFacts()) }
        if asksForHelp(words[...]) { return .print(help()) }
        if first == "--version" { throw UsageError(.surplusOperand, words[1], expected: "none").within([tool]) }
        let own: [FlagDescription] = [.help, .version]
        throw UsageError(
            .unknownOption, first, suggestion: NearestName.find(first, among: own.map(\.spelling))
        ).within([tool])
    }

    private func parse(
        _ words: ArraySlice<String>, in commands: [Command], path: [String]
    ) throws(UsageError) -> CommandAction {
        guard let name = words.first else { throw missingCommand(in: commands, path: path) }
        guard let command = commands.first(where: { $0.name == name }) else {
            if asksForHelp(words) { return .print(help(of: commands, path: path)) }
            if name.hasPrefix("-") { throw UsageError.unknownOption(name, spelling: name, among: []).within(path) }
            throw unknownCommand(name, in: commands).within(path)
        }
        let path = path + [name]
        let rest = words.dropFirst()
        if case .group(let members) = command.action { return try parse(rest, in: members, path: path) }
        if asksForHelp(rest) { return .print(help(of: command, path: path)) }
        do {
            return try action(of: command, Array(rest), path: path)
        } catch {
            throw error.within(path)
        }
    }

    private func action(of command: Command, _ words: [String], path: [String]) throws(UsageError) -> CommandAction {
        switch command.action {
        case .group: throw missingCommand(in: command.subcommands, path: path)
        case .help: return .print(try help(for: words))
        case .completions:
            let options = try OptionParser<NoOptions>.parse(words)
            try command.operands.check(options.operands)
            let name = options.operands[0]
            guard let shell = Shell(rawValue: name) else {
                let shells = Shell.allCases.map(\.rawValue)
                throw .badOperand(name, expected: shells.joined(separator: ", "), among: shells)
            }
            return .print(completions(for: shell))
        case .work:
            guard let work = try command.prepared(words) else { throw missingCommand(in: [], path: path) }
            return .run {
                do {
                    return try work()
                } catch let error as UsageError {
                    throw error.within(path)
                }
            }
        }
    }

    /// Returns the help for `ferry help mapping check`, which is the same as `ferry mapping check --help`.
    private func help(for words: [String]) throws(UsageError) -> String {
        var path = [tool]
        var members = commands
        var found: Command?
        for name in words {
            guard let command = members.first(where: { $0.name == name }) else {
                throw unknownCommand(name, in: members)
            }
            path.append(name)
            members = command.subcommands
            found = command
        }
        return found.map { help(of: $0, path: path) } ?? help()
    }

    /// Returns whether the words contain `--help` or `-h` before `--`.
    private func asksForHelp(_ words: ArraySlice<String>) -> Bool {
        words.prefix { $0 != "--" }.contains { $0 == "--help" || $0 == "-h" }
    }

    private func missingCommand(in commands: [Command], path: [String]) -> UsageError {
        UsageError(.missingCommand, "", expected: commands.map(\.name).joined(separator: ", ")).within(path)
    }

    private func unknownCommand(_ name: String, in commands: [Command]) -> UsageError {
        let names = commands.map(\.name)
        return UsageError(
            .unknownCommand, name, expected: names.isEmpty ? "none" : names.joined(separator: ", "),
            suggestion: NearestName.find(name, among: names))
    }
}
